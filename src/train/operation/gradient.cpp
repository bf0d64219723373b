#include "train/operation/gradient.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "ampere/error.h"

namespace ampere {

OperationCall repeated_backward(const Operation& operation, const std::vector<at::Tensor>& leaves,
                                at::Tensor gradient, const std::function<at::Tensor()>& forward) {
  if (leaves.empty()) throw Error(ErrorCode::failed, operation.name + ": no gradient is wanted");
  for (const at::Tensor& leaf : leaves) leaf.requires_grad_();
  const at::Tensor output = forward();
  gradient = gradient.defined() ? gradient.to(output.scalar_type()) : at::ones_like(output);
  return [leaves, output, gradient] {
    torch::autograd::grad({output}, leaves, {gradient}, /*retain_graph=*/true);
  };
}

}  // namespace ampere
