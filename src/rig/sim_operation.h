// The law of one operation on a simulated device (docs/simulated-devices.md).
#pragma once

#include <span>

#include "ampere/program.h"
#include "ampere/train.h"
#include "rig/sim_law.h"

namespace ampere {

// Without noise. Throws Error(usage) as count(operation, tensors) does.
StepTimes sim_operation_times(const SimLaw& law, const Operation& operation,
                              std::span<const TensorType> tensors);

}  // namespace ampere
