// Autocast: operations that run in a format of 16 bits, and others that always run in fp32.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

Tensor cast(Eager& eager, const Tensor& x, ElementType element);
// The gradient of a cast from this format.
Backward cast_back(Eager& eager, ElementType element);
// Autocast's way to a format: numbers that have it already, or are whole, stay as they are.
Tensor in_format(Eager& eager, const Tensor& x, ElementType element);

// Arguments as autocast passes them on. Without autocast they stay as they are. The last one is
// cast first, as PyTorch's compiled code does; what is not defined stays so.
Tensors in_low_format(Eager& eager, Tensors arguments);
Tensor in_full_format(Eager& eager, const Tensor& x);

}  // namespace ampere::lowering
