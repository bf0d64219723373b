// What every measurement begins with: warming a network up.
// All time comes from the clock, so that a simulated device takes the same path as a real one.
#pragma once

#include "ampere/measurement.h"
#include "rig/clock.h"

namespace ampere {

struct Bench {
  TrainJob& job;
  Meter& meter;
  Clock& clock;
};

constexpr Seconds kMeterLag{0.4};  // a counter follows a new load only after this long

// How many of them fill `duration`; at least one.
int iterations_in(Seconds duration, Seconds iteration);

// The time of one, of so many in a row.
Seconds timed_iteration(TrainJob& job, Clock& clock, int iterations);

struct WarmUp {
  Seconds iteration{};  // time of one, when it ended
  bool settled = false;
};

// Runs until iterations no longer get faster and the meter has caught up with the load, at most
// about `limit`; always at least one iteration, which carries allocation and lazy loading.
WarmUp warm_up(const Bench& bench, Seconds limit);

}  // namespace ampere
