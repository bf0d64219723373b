// A model as LibTorch runs it: weights on a device and one call per layer. Seen by the sources that
// see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <vector>

#include "train/torch_layer.h"

namespace ampere {

class TorchNetwork {
 public:
  // Weights are allocated on the device and initialised as PyTorch does by default.
  // Throws Error(failed) for a batch norm that would see a single value per channel.
  TorchNetwork(const Model& model, std::int64_t batch, at::Device device,
               TorchMode mode = TorchMode::training);

  // The same network for another batch or mode, with the weights of this one and not a copy.
  TorchNetwork sharing(const Model& model, const TorchPlace& place) const;

  const std::vector<TorchWeight>& parameters() const { return parameters_; }  // what is learned

  // All weights take these values. Throws Error(usage) where they are not the model's.
  void load(const Model& model, const Weights& weights);
  Weights save(const Model& model) const;

  // `inputs`: one tensor per Input layer in order, the batch first. Gives the last layer's output;
  // layers that nothing reads are computed too.
  at::Tensor forward(const std::vector<at::Tensor>& inputs) const;

 private:
  TorchNetwork(const Model& model, const TorchPlace& place, const std::vector<TorchWeight>& shared);
  int repeated(const Model& model, int layer, std::int64_t batch);

  struct Step {
    int place = 0;   // of what it gives, among the values
    TorchStep call;  // empty for inputs
  };
  std::vector<Step> steps_;
  int values_ = 0;               // one per layer, then those of layers repeated for every sample
  int output_ = 0;               // the place of what the network gives
  std::map<int, int> repeated_;  // by layer, its place
  std::vector<TorchWeight> parameters_;
  std::vector<TorchWeight> constants_;  // running statistics and what else is not learned
};

// A weight's name within the network, and its values as they travel.
std::string weight_name(const Model& model, const TorchWeight& weight);
FloatTensor to_floats(const at::Tensor& tensor);
at::Tensor to_tensor(const FloatTensor& floats);  // on the CPU

}  // namespace ampere
