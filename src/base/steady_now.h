// The clock of measurements: monotonic, of this machine.
#pragma once

#include <time.h>

#include <chrono>

#include "ampere/units.h"

namespace ampere {

inline Seconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// By how much this clock has stood still while the machine slept, since it was started.
inline Seconds time_slept() {
  timespec with{}, without{};
  clock_gettime(CLOCK_BOOTTIME, &with);
  clock_gettime(CLOCK_MONOTONIC, &without);
  return std::chrono::seconds(with.tv_sec - without.tv_sec) +
         std::chrono::nanoseconds(with.tv_nsec - without.tv_nsec);
}

}  // namespace ampere
