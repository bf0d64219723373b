// Operations that are called by what was meant, so that the device chooses its implementation. A
// backward pass that needs what its forward pass left behind gets a forward pass first.
#pragma once

#include <string_view>

#include "train/operation/call.h"

namespace ampere {

// Makes the call of an operation whose name it is registered for.
using OperationRecipe = OperationCall (*)(const Operation& operation,
                                          const OperationTensors& tensors);
OperationRecipe find_recipe(std::string_view name);  // null where the operation is called by name

}  // namespace ampere
