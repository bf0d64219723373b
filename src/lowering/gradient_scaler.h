// The gradient scaler of training in fp16. Small gradients would vanish in this format, so that the
// loss is multiplied by a large number, and gradients are divided by it before weights change.
#pragma once

#include "lowering/eager.h"

namespace ampere::lowering {

class GradientScaler {
 public:
  // Its number was made in an earlier iteration.
  explicit GradientScaler(Eager& eager);

  const Tensor& scale() const { return scale_; }
  Tensor scaled(const Tensor& loss) const;

  // Divides the gradients, and lets the host wait for whether one of them is not finite. Returns
  // the tensor that says so.
  Tensor unscale(const Tensors& gradients) const;
  // The same for an optimizer that divides them itself, so that the host waits for nothing.
  Tensor check(const Tensors& gradients) const;

  // Makes the number smaller after gradients that were not finite, else larger from time to time.
  void adjust(const Tensor& not_finite) const;

 private:
  Tensor multiply_and_check(const Tensors& gradients, const Tensor& factor) const;

  Eager& eager_;
  Tensor scale_;
  Tensor finite_steps_;  // how many in a row had finite gradients
};

}  // namespace ampere::lowering
