// Training two networks in turn.
#pragma once

#include "ampere/measurement.h"
#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// Alternates between the two networks, after a warm-up of both. The caller sets `elapsed`.
Pace measure_pace(TrainJob& job, TrainJob& reference, Clock& clock);

}  // namespace ampere
