#include "train/torch_network.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "model/layer_batches.h"

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
  const std::vector<std::int64_t> batches = layer_batches(model, place.batch);
  values_ = static_cast<int>(batches.size());
  const auto read_by = [&](int layer, std::int64_t batch) {
    return batches[layer] == batch ? layer : repeated(model, layer, batch);
  };
  for (int i = 0; i < static_cast<int>(batches.size()); ++i) {
    std::vector<int> read;
    for (const int input : model.layers()[i].inputs) read.push_back(read_by(input, batches[i]));
    TorchLayer layer(model, i, {batches[i], place.device, place.mode}, std::move(read), weights,
                     shared);
    steps_.push_back({i, make_step(layer, model.layers()[i].op)});
  }
  output_ = read_by(static_cast<int>(batches.size()) - 1, place.batch);
  for (TorchWeight& weight : weights) {
    if (weight.learned) weight.value.requires_grad_(true);
    (weight.learned ? parameters_ : constants_).push_back(std::move(weight));
  }
}

// What is the same for all samples, once for each of them.
int TorchNetwork::repeated(const Model& model, int layer, std::int64_t batch) {
  const auto [found, is_new] = repeated_.try_emplace(layer, values_);
  if (is_new) {
    std::vector<std::int64_t> sizes = model.layers()[layer].output.axes();
    sizes.insert(sizes.begin(), batch);
    steps_.push_back({values_++, [layer, sizes = std::move(sizes)](const TorchValues& values) {
                        return values[layer].expand(sizes);
                      }});
  }
  return found->second;
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
  TorchValues values(values_);
  std::size_t next_input = 0;
  for (const auto& [place, call] : steps_)
    values[place] = call ? call(values) : inputs[next_input++];
  return values[output_];
}

}  // namespace ampere
