// Optimizers that change all weights in one kernel.
#pragma once

#include "lowering/gradient_scaler.h"
#include "lowering/trained_lists.h"

namespace ampere::lowering {

// With a scaler, unless it is null, the kernel also divides the gradients, and changes nothing if
// one of them is not finite.
void fused_update(Eager& eager, const Lists& lists, const Setup& setup,
                  const GradientScaler* scaler);

}  // namespace ampere::lowering
