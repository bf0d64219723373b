// A model as LibTorch runs it: weights on a device and one call per layer. Seen by the sources that
// see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "train/torch_layer.h"

namespace ampere {

class TorchNetwork {
 public:
  // Weights are allocated on the device and initialised as PyTorch does by default.
  // Throws Error(failed) for a batch norm that would see a single value per channel.
  TorchNetwork(const Model& model, std::int64_t batch, at::Device device,
               TorchMode mode = TorchMode::training);

  const std::vector<TorchWeight>& parameters() const { return parameters_; }  // what is learned

  // All weights take these values. Throws Error(usage) where they are not the model's.
  void load(const Model& model, const Weights& weights);

  // `inputs`: one tensor per Input layer in order, the batch first. Gives the last layer's output;
  // layers that nothing reads are computed too.
  at::Tensor forward(const std::vector<at::Tensor>& inputs) const;

 private:
  std::vector<TorchStep> steps_;  // one per layer; empty for inputs
  std::vector<TorchWeight> parameters_;
  std::vector<TorchWeight> constants_;  // running statistics and what else is not learned
};

}  // namespace ampere
