// How good a meter is here and now, found by reading it for a while.
#pragma once

#include "ampere/meter.h"

namespace ampere {

struct MeterQuality {
  Watts power{};  // of the total, on average
  // Standard deviation of that power between stretches as long as `stretch`, which the load's own
  // changes are part of. Absent when there were too few of them.
  std::optional<Watts> noise;
  Seconds stretch{};  // a period of the meter, and at least 0.1 s
};

// Takes about `duration`, a little more for meters that move rarely. Throws Error(failed) when
// nothing was counted in all that time, and whatever reading throws.
MeterQuality examine_meter(Meter& meter, Seconds duration);

}  // namespace ampere
