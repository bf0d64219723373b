#include "lowering/gradient_scaler.h"

#include "lowering/pointwise.h"

namespace ampere::lowering {
namespace {

// PyTorch's defaults.
constexpr double kGrowth = 2, kBackoff = 0.5;
constexpr int kGrowthInterval = 2000;

TensorType number(ElementType element) { return dense(element, {}); }

Tensor full(Eager& eager, double value) {
  return eager.run("full", {Sizes{}, value}, number(ElementType::fp32),
                   {{"dtype", ElementType::fp32}});
}

Tensor converted(Eager& eager, const Tensor& x, ElementType element) {
  return eager.run("_to_copy", {x}, number(element), {{"dtype", element}});
}

// PyTorch copies it to the device of the gradients, even when it is there already.
Tensor copied(Eager& eager, const Tensor& x) {
  return eager.run("_to_copy", {x}, x.type,
                   {{"dtype", x.type.element}, {"layout", "strided"}, {"non_blocking", true}});
}

}  // namespace

GradientScaler::GradientScaler(Eager& eager)
    : eager_(eager),
      scale_(eager.make(number(ElementType::fp32), StorageKind::input)),
      finite_steps_(eager.make(number(ElementType::int32), StorageKind::input)) {}

Tensor GradientScaler::scaled(const Tensor& loss) const { return multiply(eager_, loss, scale_); }

// The inverse is rounded only once.
Tensor GradientScaler::unscale(const Tensors& gradients) const {
  Tensor inverse = converted(eager_, scale_, ElementType::fp64);
  inverse = eager_.run("reciprocal", {inverse}, inverse.type);
  inverse = converted(eager_, inverse, ElementType::fp32);
  const Tensor not_finite = multiply_and_check(gradients, inverse);
  eager_.recorder.record({.name = "_local_scalar_dense",
                          .arguments = {not_finite},
                          .results = {Argument{}},
                          .launches = false,
                          .waits = true});
  return not_finite;
}

Tensor GradientScaler::check(const Tensors& gradients) const {
  return multiply_and_check(gradients, full(eager_, 1));
}

void GradientScaler::adjust(const Tensor& not_finite) const {
  eager_.change("_amp_update_scale_", scale_,
                {scale_, finite_steps_, not_finite, kGrowth, kBackoff, kGrowthInterval});
}

Tensor GradientScaler::multiply_and_check(const Tensors& gradients, const Tensor& factor) const {
  const Tensor none = full(eager_, 0);
  const Tensor not_finite = copied(eager_, none), own_factor = copied(eager_, factor);
  eager_.recorder.record({.name = "_amp_foreach_non_finite_check_and_unscale_",
                          .arguments = {gradients, not_finite, own_factor}});
  return not_finite;
}

}  // namespace ampere::lowering
