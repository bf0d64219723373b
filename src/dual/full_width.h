// How a profile marks the networks it is made for, among those it measured.
#pragma once

namespace ampere {

// A note of their measurement. Such a network is larger than all that were drawn from it: left out
// of a fit it would say how far the laws are off beyond what is known, and it is known.
inline constexpr const char* kFullWidthNote = "at full width, for its profile";

}  // namespace ampere
