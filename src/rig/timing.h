// Timing one training step.
#pragma once

#include "ampere/measurement.h"
#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// Uses the clock of the device if the job can. Otherwise the given clock, which cannot tell device
// and host apart, times about 30 ms of steps, or three steps when these take longer. The caller
// sets `elapsed`.
Timing time_step(TrainJob& job, Clock& clock);

}  // namespace ampere
