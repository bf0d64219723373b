// Functions of single numbers, of one or of two tensors, with their gradients.
#pragma once

#include "ampere/layer.h"
#include "lowering/eager.h"

namespace ampere::lowering {

Tensor add(Eager& eager, const Tensor& a, const Tensor& b);
Tensor subtract(Eager& eager, const Tensor& a, const Tensor& b);
Tensor multiply(Eager& eager, const Tensor& a, const Tensor& b);
Tensor divide(Eager& eager, const Tensor& a, const Tensor& b);
Tensor add_number(Eager& eager, const Tensor& x, Argument number);
Tensor multiply_number(Eager& eager, const Tensor& x, double factor);
Tensor divide_number(Eager& eager, const Tensor& x, Argument divisor);
Tensor power(Eager& eager, const Tensor& x, Argument exponent);
Tensor tanh(Eager& eager, const Tensor& x);
Tensor sigmoid(Eager& eager, const Tensor& x);

Tensor activation(Eager& eager, const Tensor& x, const Activation& op);
Tensor dropout(Eager& eager, const Tensor& x, double probability);
Tensor stochastic_depth(Eager& eager, const Tensor& x, double probability);
Tensor prelu(Eager& eager, const Tensor& x, const Tensor& slope);

// The type that a function of one tensor gives.
TensorType same_type(const Tensor& x);

}  // namespace ampere::lowering
