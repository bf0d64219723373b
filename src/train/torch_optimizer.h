// SGD with and without momentum, Adam and AdamW. Seen by the sources that train.
#pragma once

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "ampere/train.h"

namespace ampere {

inline bool has_two_moments(Optimizer kind) {
  return kind == Optimizer::adam || kind == Optimizer::adamw;
}

// The optimizers as PyTorch runs them by default today: over all parameters at once, which on a GPU
// is a handful of launches whatever the number of layers.
class TorchOptimizer {
 public:
  TorchOptimizer(const Setup& setup, double learning_rate)
      : kind_(setup.optimizer),
        learning_rate_(learning_rate),
        decay_(setup.options.weight_decay.value_or(kind_ == Optimizer::adamw ? kAdamWDecay : 0)) {}

  void step(const std::vector<at::Tensor>& parameters, std::vector<at::Tensor> gradients) {
    if (parameters.empty()) return;
    c10::NoGradGuard no_grad;
    if (decay_ > 0) apply_decay(parameters, gradients);
    if (has_two_moments(kind_))
      adam(parameters, gradients);
    else if (kind_ == Optimizer::sgd)
      sgd(parameters, gradients);
    else
      at::_foreach_add_(parameters, gradients, -learning_rate_);
  }

  void set_learning_rate(double learning_rate) { learning_rate_ = learning_rate; }

  // What it remembers: a tensor for each parameter with a gradient, in their order; none before the
  // first step.
  struct Memory {
    std::vector<at::Tensor> first, second;  // momentum; Adam's moments
    std::int64_t steps = 0;                 // Adam's
  };
  const Memory& memory() const { return memory_; }

  // The powers are multiplied up again, so that they are the same to the last bit.
  void restore(Memory memory) {
    memory_ = std::move(memory);
    beta1_power_ = beta2_power_ = 1;
    for (std::int64_t step = 0; step < memory_.steps; ++step) {
      beta1_power_ *= kBeta1;
      beta2_power_ *= kBeta2;
    }
  }

 private:
  static constexpr double kMomentum = 0.9, kAdamWDecay = 0.01;
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;  // Adam's defaults

  static std::vector<at::Tensor> zeros_like(const std::vector<at::Tensor>& tensors) {
    std::vector<at::Tensor> zeros;
    for (const at::Tensor& tensor : tensors) zeros.push_back(at::zeros_like(tensor));
    return zeros;
  }

  // adamw: w ← (1 − ηλ)·w;  the others: g ← g + λ·w
  void apply_decay(const std::vector<at::Tensor>& parameters,
                   std::vector<at::Tensor>& gradients) const {
    if (kind_ == Optimizer::adamw)
      at::_foreach_mul_(parameters, 1 - learning_rate_ * decay_);
    else
      gradients = at::_foreach_add(gradients, parameters, decay_);
  }

  // m ← 0.9·m + g;  w ← w − η·m
  void sgd(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& gradients) {
    if (memory_.first.empty()) memory_.first = zeros_like(parameters);
    at::_foreach_mul_(memory_.first, kMomentum);
    at::_foreach_add_(memory_.first, gradients, 1);
    at::_foreach_add_(parameters, memory_.first, -learning_rate_);
  }

  // m ← β₁·m + (1−β₁)·g;  v ← β₂·v + (1−β₂)·g²;
  // w ← w − η/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε)
  void adam(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& gradients) {
    if (memory_.first.empty()) {
      memory_.first = zeros_like(parameters);
      memory_.second = zeros_like(parameters);
    }
    ++memory_.steps;
    beta1_power_ *= kBeta1;
    beta2_power_ *= kBeta2;
    at::_foreach_mul_(memory_.first, kBeta1);
    at::_foreach_add_(memory_.first, gradients, 1 - kBeta1);
    at::_foreach_mul_(memory_.second, kBeta2);
    at::_foreach_addcmul_(memory_.second, gradients, gradients, 1 - kBeta2);
    const std::vector<at::Tensor> scale = at::_foreach_sqrt(memory_.second);
    at::_foreach_div_(scale, std::sqrt(1 - beta2_power_));
    at::_foreach_add_(scale, kEpsilon);
    at::_foreach_addcdiv_(parameters, memory_.first, scale, -learning_rate_ / (1 - beta1_power_));
  }

  Optimizer kind_;
  double learning_rate_, decay_;
  Memory memory_;
  double beta1_power_ = 1, beta2_power_ = 1;
};

}  // namespace ampere
