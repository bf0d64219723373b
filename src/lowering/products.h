// Matrix products with their gradients, as PyTorch's linear and matmul are made of them.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

Tensor matmul(Eager& eager, const Tensor& a, const Tensor& b);
// The bias may be absent.
Tensor linear(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace ampere::lowering
