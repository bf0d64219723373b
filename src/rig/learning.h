// Training on data while a meter runs.
#pragma once

#include "ampere/training.h"
#include "rig/clock.h"

namespace ampere {

// Until the task's epochs are done or its energy ends, testing after each. The meter should be
// attentive. Throws Error(failed) when the loss is no longer a number.
TrainingResult learn(LearnJob& job, Meter& meter, Clock& clock, const TrainingTask& task,
                     const TrainingListener& listener);

}  // namespace ampere
