// The clock of measurements: monotonic, of this machine.
#pragma once

#include <chrono>

#include "ampere/units.h"

namespace ampere {

inline Seconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace ampere
