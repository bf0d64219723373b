#include "train/torch_iteration.h"

#include <ATen/ATen.h>

namespace ampere {

bool classifies(const TensorShape& output) {
  return output.channels >= 2 &&
         (output.layout == Layout::flat || output.layout == Layout::sequence);
}

at::Tensor rows_of(const at::Tensor& output) {
  return output.dim() == 3 ? output.flatten(0, 1) : output;
}

at::Tensor loss_of(const at::Tensor& output, const at::Tensor& labels) {
  if (!labels.defined()) return output.square().mean();
  return at::cross_entropy_loss(rows_of(output), labels);
}

void update(const TorchNetwork& network, TorchOptimizer& optimizer) {
  std::vector<at::Tensor> values, gradients;
  values.reserve(network.parameters().size());
  gradients.reserve(network.parameters().size());
  for (const TorchWeight& parameter : network.parameters()) {
    const at::Tensor& gradient = parameter.value.grad();
    if (!gradient.defined()) continue;
    values.push_back(parameter.value);
    gradients.push_back(gradient);
  }
  optimizer.step(values, gradients);
}

void clear_gradients(const TorchNetwork& network) {
  for (const TorchWeight& parameter : network.parameters()) parameter.value.mutable_grad().reset();
}

}  // namespace ampere
