// How long a step takes by the clock of the bench.
#pragma once

#include "ampere/measurement.h"
#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// By the device itself where the job can, else by the clock, which sees device and host as one:
// about 30 ms, or three steps where they are slower. Leaves `elapsed` to the caller.
Timing time_step(TrainJob& job, Clock& clock);

}  // namespace ampere
