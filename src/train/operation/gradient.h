// The backward pass of a function as a call of its own. Seen by the sources that see torch.
#pragma once

#include <vector>

#include "train/operation/call.h"

namespace ampere {

// Runs `forward` once, which returns the output, and passes `gradient` (ones where undefined) back
// from there to `leaves`, again and again. Throws Error(failed) without leaves.
OperationCall repeated_backward(const Operation& operation, const std::vector<at::Tensor>& leaves,
                                at::Tensor gradient, const std::function<at::Tensor()>& forward);

}  // namespace ampere
