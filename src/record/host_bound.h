// Whether a network waits for the host or for the device.
#pragma once

namespace ampere {

// A network waits for the host when an iteration takes at least this many times its device time.
inline constexpr double kHostBound = 1.05;

}  // namespace ampere
