// Normalisations with their gradients.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

// Weights and statistics may be absent. `training`: by the statistics of the batch.
Tensor batch_norm(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const Tensor& mean, const Tensor& variance, bool training, double epsilon);
Tensor layer_norm(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias,
                  double epsilon);  // over the last axis
Tensor group_norm(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias,
                  std::int64_t groups, double epsilon);
Tensor instance_norm(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias,
                     double epsilon);

}  // namespace ampere::lowering
