// What an operation is recognised by, in whatever program or request it occurs.
#pragma once

#include <cstdint>
#include <vector>

#include "ampere/program.h"

namespace ampere {

// The hash of an operation with the types of its tensors; the same in every program.
using OperationKey = std::uint64_t;
std::vector<OperationKey> operation_keys(const std::vector<Operation>& operations,
                                         const std::vector<TensorType>& tensors);
OperationKey operation_key(const Operation& operation, const std::vector<TensorType>& tensors);

}  // namespace ampere
