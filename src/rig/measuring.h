// The parts of the measuring protocol: warming a network up, and one window of it under the meter.
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

struct WarmUp {
  Seconds iteration{};  // time of one, when it ended
  bool settled = false;
};

// Runs until iterations no longer get faster and the meter has caught up with the load, at most
// about `limit`; always at least one iteration, which carries allocation and lazy loading.
WarmUp warm_up(const Bench& bench, Seconds limit);

// Whole iterations for at least `length`, between two steps of the meter's counter when it moves in
// steps. `iteration` is about the time of one. Says in `rejected` why the window should not count.
// Throws Error(failed) when the meter stands still.
Window take_window(const Bench& bench, Seconds iteration, Seconds length);

}  // namespace ampere
