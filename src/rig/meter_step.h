// Waiting for a step of the meter: a counter that moves in steps is exact only at a step.
#pragma once

#include <functional>

#include "ampere/meter.h"
#include "rig/clock.h"

namespace ampere {

// A reading of the meter with the times before and after it, because reading may take a while.
struct Mark {
  Seconds before, after;
  Reading reading;
  Joules energy;  // in total
};
Mark mark(Meter& meter, Clock& clock);

// The first reading that shows more energy than now. Calls `wait`, which lets a moment pass,
// between two readings. Returns at once for a meter without a period. Throws Error(failed) when the
// meter does not move.
Mark next_step(Meter& meter, Clock& clock, const std::function<void()>& wait);

}  // namespace ampere
