// Warming up a network, which every measurement begins with. All times come from the clock, so that
// simulated devices use the same code as real ones.
#pragma once

#include "ampere/measurement.h"
#include "rig/clock.h"

namespace ampere {

struct Bench {
  TrainJob& job;
  Meter& meter;
  Clock& clock;
};

constexpr Seconds kMeterLag{0.4};  // delay with which a counter follows a new load

// How many iterations of this length fill `duration`; at least one.
int iterations_in(Seconds duration, Seconds iteration);

// Runs so many iterations and returns the mean time of one.
Seconds timed_iteration(TrainJob& job, Clock& clock, int iterations);

struct WarmUp {
  Seconds iteration{};  // time per iteration at its end
  bool settled = false;
};

// Runs until iterations no longer get faster and the meter has caught up with the load, for about
// `limit` at most. Runs at least one iteration, because the first one allocates and loads
// libraries.
WarmUp warm_up(const Bench& bench, Seconds limit);

}  // namespace ampere
