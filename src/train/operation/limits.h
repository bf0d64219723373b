// Which arguments of an operation are indices, and below which number they must stay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "train/operation/tensors.h"

namespace ampere {

using Limit = std::optional<std::int64_t>;  // nothing where any whole number will do

// Of the whole numbers in the argument of this name. Throws Error(usage) when the operation does
// not have the arguments that one of its name has.
Limit limit_of(const Operation& operation, const std::string& argument,
               std::span<const TensorType> tensors);

// Of each tensor among the `indices` when a tensor is indexed by them, axis after axis. A mask
// covers as many axes as it has. Nothing for other operations.
std::optional<std::vector<Limit>> index_limits(const Operation& operation,
                                               std::span<const TensorType> tensors);

}  // namespace ampere
