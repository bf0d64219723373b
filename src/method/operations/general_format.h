// The version of general profiles (docs/operations.md).
#pragma once

namespace ampere {

// Raised when features are added, removed or computed in another way.
inline constexpr int kGeneralProfileVersion = 1;

}  // namespace ampere
