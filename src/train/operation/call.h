// An operation of a program as a function that can be called again and again. Seen by the sources
// that see torch.
#pragma once

#include <functional>

#include "train/operation/tensors.h"

namespace ampere {

using OperationCall = std::function<void()>;

// Makes the tensors that the call needs. Throws Error(failed) when there is no such operation or
// when it does not take such arguments, and what LibTorch throws.
OperationCall make_call(const Operation& operation, const OperationTensors& tensors);

}  // namespace ampere
