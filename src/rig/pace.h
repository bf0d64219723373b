// Two networks by turns.
#pragma once

#include "ampere/measurement.h"
#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// Both warm. Leaves `elapsed` to the caller.
Pace keep_pace(TrainJob& job, TrainJob& reference, Clock& clock);

}  // namespace ampere
