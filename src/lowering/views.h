// Functions of PyTorch that give the same numbers in another arrangement, with their gradients.
// Some copy where the arrangement in memory does not allow a view.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

Tensor reshape(Eager& eager, const Tensor& x, const Sizes& sizes);
Tensor view_as(Eager& eager, const Tensor& x, const Sizes& sizes);        // must be possible
Tensor unsafe_view(Eager& eager, const Tensor& x, const Sizes& sizes);    // of a new tensor
Tensor flatten(Eager& eager, const Tensor& x, int first, int last = -1);  // axes
Tensor transpose(Eager& eager, const Tensor& x, int a, int b);
Tensor t(Eager& eager, const Tensor& matrix);
Tensor permute(Eager& eager, const Tensor& x, const Sizes& order);
Tensor move_axis(Eager& eager, const Tensor& x, int from, int to);
Tensor expand(Eager& eager, const Tensor& x, const Sizes& sizes);  // -1: as it is
Tensor unsqueeze(Eager& eager, const Tensor& x, int axis);
Tensor squeeze(Eager& eager, const Tensor& x, int axis);
Tensor slice(Eager& eager, const Tensor& x, int axis, std::int64_t begin, std::int64_t end,
             std::int64_t step = 1);
Tensor select(Eager& eager, const Tensor& x, int axis, std::int64_t index);
Tensors split(Eager& eager, const Tensor& x, std::int64_t size, int axis);
Tensors unbind(Eager& eager, const Tensor& x);  // along the first axis
Tensor contiguous(Eager& eager, const Tensor& x);
Tensor clone(Eager& eager, const Tensor& x);  // one element behind the other
Tensor cat(Eager& eager, const Tensors& parts, int axis);

}  // namespace ampere::lowering
