// LibTorch behind the Learner interface.
#pragma once

#include <memory>
#include <string>

#include "ampere/train.h"

namespace ampere {

// On "cpu" or "cuda:N"; throws as open_torch_trainer does. The last data set stays in memory. A job
// may outlive its learner.
std::unique_ptr<Learner> open_torch_learner(const std::string& device);

}  // namespace ampere
