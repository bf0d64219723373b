// Recurrent layers in one call. Seen by the sources that see torch.
#pragma once

#include "train/operation/call.h"

namespace ampere {

OperationCall recurrent(const Operation& operation, const OperationTensors& tensors);
OperationCall recurrent_backward(const Operation& operation, const OperationTensors& tensors);

}  // namespace ampere
