// What one operator has to learn, from its shapes alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ampere/layer.h"
#include "ampere/model.h"

namespace ampere {

// The tensors that an operator holds, with the shapes it reads and writes.
std::vector<WeightShape> weights_of(const Op& op, std::span<const TensorShape> inputs,
                                    const TensorShape& output);

// Numbers that are learned. Throws Error(usage) when they cannot be counted.
std::int64_t parameter_count(const Op& op, std::span<const TensorShape> inputs,
                             const TensorShape& output);

std::vector<TensorShape> input_shapes(const Layer& layer, const Model& model);

}  // namespace ampere
