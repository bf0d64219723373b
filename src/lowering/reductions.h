// Functions that gather numbers along axes, losses, and tables, with their gradients.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

Tensor mean(Eager& eager, const Tensor& x, const Sizes& axes, bool keep);  // axes may be negative
Tensor sum(Eager& eager, const Tensor& x, const Sizes& axes);              // axes stay
Tensor largest(Eager& eager, const Tensor& x, const Sizes& axes);          // axes stay
Tensor root_of_squares(Eager& eager, const Tensor& x, const Sizes& axes);  // axes stay
Tensor softmax(Eager& eager, const Tensor& x, int axis);
Tensor log_softmax(Eager& eager, const Tensor& x, int axis);
Tensor embedding(Eager& eager, const Tensor& table, const Tensor& indices);
Tensor pick(Eager& eager, const Tensor& x, int axis, const Tensor& indices);

Tensor cross_entropy(Eager& eager, const Tensor& x, const Tensor& labels);  // of rows
Tensor mean_of_squares(Eager& eager, const Tensor& x);

}  // namespace ampere::lowering
