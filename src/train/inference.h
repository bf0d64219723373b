// One forward pass with given weights, to compare a network with what it was before it came here.
#pragma once

#include <vector>

#include "ampere/model.h"

namespace ampere {

// On the CPU, in inference mode. `inputs`: one per Input layer in order, the batch first; token ids
// as whole numbers. Throws Error(usage) for inputs or weights that are not the model's and
// Error(failed) when the network cannot be run.
FloatTensor infer(const Model& model, const Weights& weights,
                  const std::vector<FloatTensor>& inputs);

}  // namespace ampere
