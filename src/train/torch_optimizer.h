// SGD with momentum, and Adam. Seen by the one source that trains.
#pragma once

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <vector>

#include "ampere/train.h"

namespace ampere {

// The optimizers as PyTorch runs them by default today: over all parameters at once, which on a GPU
// is a handful of launches whatever the number of layers. No weight decay.
class TorchOptimizer {
 public:
  TorchOptimizer(Optimizer kind, double learning_rate)
      : kind_(kind), learning_rate_(learning_rate) {}

  void step(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& gradients) {
    if (parameters.empty()) return;
    c10::NoGradGuard no_grad;
    kind_ == Optimizer::sgd ? sgd(parameters, gradients) : adam(parameters, gradients);
  }

 private:
  static constexpr double kMomentum = 0.9;
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;  // Adam's defaults

  static std::vector<at::Tensor> zeros_like(const std::vector<at::Tensor>& tensors) {
    std::vector<at::Tensor> zeros;
    for (const at::Tensor& tensor : tensors) zeros.push_back(at::zeros_like(tensor));
    return zeros;
  }

  // m ← 0.9·m + g;  w ← w − η·m
  void sgd(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& gradients) {
    if (first_.empty()) first_ = zeros_like(parameters);
    at::_foreach_mul_(first_, kMomentum);
    at::_foreach_add_(first_, gradients, 1);
    at::_foreach_add_(parameters, first_, -learning_rate_);
  }

  // m ← β₁·m + (1−β₁)·g;  v ← β₂·v + (1−β₂)·g²;
  // w ← w − η/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε)
  void adam(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& gradients) {
    if (first_.empty()) {
      first_ = zeros_like(parameters);
      second_ = zeros_like(parameters);
    }
    beta1_power_ *= kBeta1;
    beta2_power_ *= kBeta2;
    at::_foreach_mul_(first_, kBeta1);
    at::_foreach_add_(first_, gradients, 1 - kBeta1);
    at::_foreach_mul_(second_, kBeta2);
    at::_foreach_addcmul_(second_, gradients, gradients, 1 - kBeta2);
    const std::vector<at::Tensor> scale = at::_foreach_sqrt(second_);
    at::_foreach_div_(scale, std::sqrt(1 - beta2_power_));
    at::_foreach_add_(scale, kEpsilon);
    at::_foreach_addcdiv_(parameters, first_, scale, -learning_rate_ / (1 - beta1_power_));
  }

  Optimizer kind_;
  double learning_rate_;
  std::vector<at::Tensor> first_, second_;  // momentum; Adam's moments
  double beta1_power_ = 1, beta2_power_ = 1;
};

}  // namespace ampere
