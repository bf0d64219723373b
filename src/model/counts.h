// What one operator has to do, from its shapes alone.
#pragma once

#include <cstdint>
#include <span>

#include "ampere/layer.h"

namespace ampere {

// Numbers that are learned. Throws Error(usage) when they cannot be counted.
std::int64_t parameter_count(const Op& op, std::span<const TensorShape> inputs,
                             const TensorShape& output);

}  // namespace ampere
