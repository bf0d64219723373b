#include "lowering/fused_optimizers.h"

#include <algorithm>

namespace ampere::lowering {
namespace {

// What the kernel is given by a gradient scaler: its scale, and whether a gradient was not finite.
// Both are absent where there is no scaler.
struct Scaling {
  Tensor scale, not_finite;
};

// PyTorch adds up what several devices have found, and keeps the user's own scale. Here there is
// one device and no such scale, but both numbers are computed.
Scaling scaling_of(Eager& eager, const GradientScaler& scaler, const Tensor& found) {
  const Tensor not_finite = eager.run("add.Tensor", {found, 0}, found.type);
  const Tensor scale = eager.run("mul.Tensor", {scaler.scale(), 1}, found.type);
  return {scale, not_finite};
}

Keywords with(const Scaling& scaling, Keywords options) {
  if (scaling.scale.defined()) {
    options.emplace_back("found_inf", scaling.not_finite);
    options.emplace_back("grad_scale", scaling.scale);
    std::ranges::sort(options, {}, [](const auto& each) { return each.first; });
  }
  return options;
}

void fused_sgd(Eager& eager, const Lists& lists, const Setup& setup, const Scaling& scaling) {
  const double momentum = lists.first.empty() ? 0 : kMomentum;
  change_all(eager, "_fused_sgd_", {lists.weights, lists.gradients, lists.first},
             with(scaling, {{"dampening", 0.0},
                            {"is_first_step", false},
                            {"lr", kLearningRate},
                            {"maximize", false},
                            {"momentum", momentum},
                            {"nesterov", false},
                            {"weight_decay", decay_of(setup)}}));
}

// A step that changes nothing is not counted.
void fused_adam(Eager& eager, const Lists& lists, const Setup& setup, const Scaling& scaling) {
  const char* name = setup.optimizer == Optimizer::adamw ? "_fused_adamw_" : "_fused_adam_";
  const Tensors largest_moments;  // only of AMSGrad
  change_all(eager, "_foreach_add_.Scalar", {lists.steps, 1});
  change_all(
      eager, name,
      {lists.weights, lists.gradients, lists.first, lists.second, largest_moments, lists.steps},
      with(scaling, {{"amsgrad", false},
                     {"beta1", kBeta1},
                     {"beta2", kBeta2},
                     {"eps", kEpsilon},
                     {"lr", kLearningRate},
                     {"maximize", false},
                     {"weight_decay", decay_of(setup)}}));
  if (scaling.not_finite.defined())
    change_all(eager, "_foreach_sub_.List",
               {lists.steps, Tensors(lists.steps.size(), scaling.not_finite)});
}

void step(Eager& eager, const Lists& lists, const Setup& setup, const Scaling& scaling) {
  if (is_adam(setup))
    fused_adam(eager, lists, setup, scaling);
  else
    fused_sgd(eager, lists, setup, scaling);
}

}  // namespace

void fused_update(Eager& eager, const Lists& lists, const Setup& setup,
                  const GradientScaler* scaler) {
  if (!scaler) return step(eager, lists, setup, {});
  const Tensor found = scaler->check(lists.gradients);
  step(eager, lists, setup, scaling_of(eager, *scaler, found));
  scaler->adjust(found);
}

}  // namespace ampere::lowering
