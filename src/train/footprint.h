// How much memory training a network takes.
#pragma once

#include "ampere/train.h"

namespace ampere {

// Bytes of parameters, gradients, optimizer state and of what the forward pass keeps: close, and
// without the framework's workspaces.
double training_bytes(const Model& model, const Setup& setup);

}  // namespace ampere
