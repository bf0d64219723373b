// The law of one operation on a simulated device (docs/simulated-devices.md).
#pragma once

#include <span>

#include "ampere/program.h"
#include "ampere/train.h"
#include "rig/sim_law.h"

namespace ampere {

// What one call costs, without noise. Throws Error(usage) as count(operation, tensors) does.
SimCost sim_operation_cost(const SimLaw& law, const Operation& operation,
                           std::span<const TensorType> tensors);

}  // namespace ampere
