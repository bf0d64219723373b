// Convolutions, pooling, resizing and padding with their gradients. One number per spatial axis.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

struct Convolution {
  Sizes stride, padding, dilation;
  bool transposed = false;
  Sizes output_padding;
  std::int64_t groups = 1;
};
// `sizes` are those of the result.
Tensor convolution(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias,
                   const Convolution& how, const Sizes& sizes);

struct Pooling2d {
  Sizes kernel, stride, padding;
  bool ceil = false;
  bool count_padding = true;
};
// `sizes` are those of the result.
Tensor max_pool(Eager& eager, const Tensor& x, const Pooling2d& how, const Sizes& sizes);
Tensor average_pool(Eager& eager, const Tensor& x, const Pooling2d& how, const Sizes& sizes);
Tensor adaptive_average_pool(Eager& eager, const Tensor& x, const Sizes& extent);
Tensor adaptive_max_pool(Eager& eager, const Tensor& x, const Sizes& extent);
Tensor upsample_nearest(Eager& eager, const Tensor& x, const Sizes& extent);
Tensor upsample_linear(Eager& eager, const Tensor& x, const Sizes& extent, bool align_corners);
Tensor pad(Eager& eager, const Tensor& x, const Sizes& amounts, double value);

}  // namespace ampere::lowering
