// Whether a network waits for the host or for the device.
#pragma once

namespace ampere {

// An iteration's time over its device time from which on it waits for the host.
inline constexpr double kHostBound = 1.05;

}  // namespace ampere
