#include "train/torch_network.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace ampere {

std::string weight_name(const Model& model, const TorchWeight& weight) {
  return model.layers()[weight.layer].name + '.' + weight.name;
}

FloatTensor to_floats(const at::Tensor& tensor) {
  const at::Tensor values = tensor.detach().to(at::kCPU).contiguous();
  const float* first = values.data_ptr<float>();
  return {values.sizes().vec(), {first, first + values.numel()}};
}

at::Tensor to_tensor(const FloatTensor& floats) {
  return at::tensor(floats.values).view(floats.sizes);
}

TorchNetwork::TorchNetwork(const Model& model, std::int64_t batch, at::Device device,
                           TorchMode mode)
    : TorchNetwork(model, {batch, device, mode}, {}) {}

TorchNetwork::TorchNetwork(const Model& model, const TorchPlace& place,
                           const std::vector<TorchWeight>& shared) {
  std::vector<TorchWeight> weights;
  for (int i = 0; i < static_cast<int>(model.layers().size()); ++i) {
    TorchLayer layer(model, i, place, weights, shared);
    steps_.push_back(make_step(layer, model.layers()[i].op));
  }
  for (TorchWeight& weight : weights) {
    if (weight.learned) weight.value.requires_grad_(true);
    (weight.learned ? parameters_ : constants_).push_back(std::move(weight));
  }
}

TorchNetwork TorchNetwork::sharing(const Model& model, const TorchPlace& place) const {
  std::vector<TorchWeight> all = parameters_;
  all.insert(all.end(), constants_.begin(), constants_.end());
  return {model, place, all};
}

void TorchNetwork::load(const Model& model, const Weights& weights) {
  check_weights(model, weights);
  c10::NoGradGuard no_grad;
  for (const std::vector<TorchWeight>* own : {&parameters_, &constants_})
    for (const TorchWeight& weight : *own)
      weight.value.copy_(to_tensor(weights.at(weight_name(model, weight))));
}

Weights TorchNetwork::save(const Model& model) const {
  Weights weights;
  for (const std::vector<TorchWeight>* own : {&parameters_, &constants_})
    for (const TorchWeight& weight : *own)
      weights.emplace(weight_name(model, weight), to_floats(weight.value));
  return weights;
}

at::Tensor TorchNetwork::forward(const std::vector<at::Tensor>& inputs) const {
  TorchValues values(steps_.size());
  std::size_t next_input = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    values[i] = steps_[i] ? steps_[i](values) : inputs[next_input++];
  return values.back();
}

}  // namespace ampere
