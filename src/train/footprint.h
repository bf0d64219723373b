// How much memory running a network takes.
#pragma once

#include "ampere/train.h"

namespace ampere {

// Bytes of parameters, gradients, optimizer state (inference has neither) and of what the forward
// pass keeps: close, and without the framework's workspaces.
double needed_bytes(const Model& model, const Setup& setup);

}  // namespace ampere
