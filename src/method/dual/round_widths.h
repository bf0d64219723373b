// How a profile marks the networks it measured at the widths people choose, among all it measured.
#pragma once

namespace ampere {

// A note of their measurement. Such a network is larger or works better than all that were drawn:
// left out of a fit it would say how far the laws are off beyond what is known, and it is known.
inline constexpr const char* kRoundWidthsNote = "at round widths, for its profile";

}  // namespace ampere
