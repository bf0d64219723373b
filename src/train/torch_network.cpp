#include "train/torch_network.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace ampere {

TorchNetwork::TorchNetwork(const Model& model, std::int64_t batch, at::Device device,
                           TorchMode mode) {
  std::vector<TorchWeight> weights;
  for (int i = 0; i < static_cast<int>(model.layers().size()); ++i) {
    TorchLayer layer(model, i, batch, device, mode, weights);
    steps_.push_back(make_step(layer, model.layers()[i].op));
  }
  for (TorchWeight& weight : weights) {
    if (weight.learned) weight.value.requires_grad_(true);
    (weight.learned ? parameters_ : constants_).push_back(std::move(weight));
  }
}

void TorchNetwork::load(const Model& model, const Weights& weights) {
  check_weights(model, weights);
  c10::NoGradGuard no_grad;
  for (const std::vector<TorchWeight>* own : {&parameters_, &constants_})
    for (const TorchWeight& weight : *own) {
      const FloatTensor& given = weights.at(model.layers()[weight.layer].name + '.' + weight.name);
      weight.value.copy_(at::tensor(given.values).view(given.sizes));
    }
}

at::Tensor TorchNetwork::forward(const std::vector<at::Tensor>& inputs) const {
  TorchValues values(steps_.size());
  std::size_t next_input = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    values[i] = steps_[i] ? steps_[i](values) : inputs[next_input++];
  return values.back();
}

}  // namespace ampere
