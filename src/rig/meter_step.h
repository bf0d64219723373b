// Waiting for the meter: a counter that moves in steps is exact at them alone.
#pragma once

#include <functional>

#include "ampere/meter.h"
#include "rig/clock.h"

namespace ampere {

// A reading of the meter, which may take a while, and the time around it.
struct Mark {
  Seconds before, after;
  Reading reading;
  Joules energy;  // in total
};
Mark mark(Meter& meter, Clock& clock);

// The first reading that shows more energy than there was; `meanwhile` lets a moment pass, again
// and again. A meter without a period shows more at once. Throws Error(failed) when the meter
// stands still.
Mark next_step(Meter& meter, Clock& clock, const std::function<void()>& meanwhile);

}  // namespace ampere
