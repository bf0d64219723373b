// A model as LibTorch runs it: parameters on a device and one call per layer. Seen by the two
// sources that see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "ampere/model.h"

namespace ampere {

struct TorchParameter {
  at::Tensor value;
  int layer = 0;
};

class TorchNetwork {
 public:
  // Parameters are allocated on the device and initialised as PyTorch does by default.
  // Throws Error(failed) for a batch norm that would see a single value per channel.
  TorchNetwork(const Model& model, std::int64_t batch, at::Device device);

  const std::vector<TorchParameter>& parameters() const { return parameters_; }

  // `inputs`: one tensor per Input layer in order, the batch first. Gives the last layer's output;
  // layers that nothing reads are computed too.
  at::Tensor forward(const std::vector<at::Tensor>& inputs) const;

  using Values = std::vector<at::Tensor>;  // one per layer
  using Step = std::function<at::Tensor(const Values&)>;

 private:
  std::vector<Step> steps_;  // one per layer; empty for inputs
  std::vector<TorchParameter> parameters_;
};

}  // namespace ampere
