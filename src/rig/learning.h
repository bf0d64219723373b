// Training on a data set while a meter runs.
#pragma once

#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// Trains until the epochs of the task are done or its energy is used up, with a test after each
// epoch. The meter should be attentive. Throws Error(failed) when the loss is no longer a number.
TrainingResult learn(LearnJob& job, Meter& meter, Clock& clock, const TrainingTask& task,
                     const TrainingListener& listener);

}  // namespace ampere
