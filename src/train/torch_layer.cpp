#include "train/torch_layer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "model/axes.h"
#include "train/torch_steps.h"

namespace ampere {

TorchLayer::TorchLayer(const Model& model, int index, std::int64_t batch, at::Device device,
                       TorchMode mode, std::vector<TorchWeight>& weights)
    : model_(model),
      layer_(model.layers()[index]),
      index_(index),
      batch_(batch),
      device_(device),
      mode_(mode),
      shapes_(weight_shapes(layer_, model)),
      weights_(weights) {}

const TensorShape& TorchLayer::input(std::size_t which) const {
  return model_.layers()[layer_.inputs[which]].output;
}

std::vector<std::int64_t> TorchLayer::sizes(const std::vector<std::int64_t>& axes) const {
  std::vector<std::int64_t> sizes = {batch_};
  sizes.insert(sizes.end(), axes.begin(), axes.end());
  return sizes;
}

std::int64_t TorchLayer::channel_dim() const { return dim(channel_axis(layer_.output)); }

const WeightShape* TorchLayer::shape_of(const std::string& name) const {
  const auto found = std::ranges::find(shapes_, name, &WeightShape::name);
  return found == shapes_.end() ? nullptr : &*found;
}

at::Tensor TorchLayer::allocate(const std::string& name) {
  const WeightShape* shape = shape_of(name);
  if (!shape) return {};
  const at::Tensor value = at::empty(shape->sizes, at::device(device_));
  weights_.push_back({value, index_, name, shape->learned});
  return value;
}

at::Tensor TorchLayer::filled(const char* name, double value) {
  const at::Tensor weight = allocate(name);
  return weight.defined() ? weight.fill_(value) : weight;
}

at::Tensor TorchLayer::uniform(const std::string& name, double bound) {
  const at::Tensor weight = allocate(name);
  return weight.defined() ? weight.uniform_(-bound, bound) : weight;
}

at::Tensor TorchLayer::normal(const char* name, double deviation) {
  const at::Tensor weight = allocate(name);
  return weight.defined() ? weight.normal_(0, deviation) : weight;
}

TorchLayer::Affine TorchLayer::affine(const char* weight, const char* bias) {
  const std::vector<std::int64_t>& sizes = shape_of(weight)->sizes;
  double fan_in = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) fan_in *= static_cast<double>(sizes[i]);
  const double bound = 1 / std::sqrt(fan_in);
  const at::Tensor values = uniform(weight, bound);
  return {values, uniform(bias, bound)};
}

TorchLayer::Affine TorchLayer::scale_and_shift() {
  const at::Tensor weight = filled("weight", 1);
  return {weight, filled("bias", 0)};
}

void TorchLayer::fail(const std::string& why) const {
  throw Error(ErrorCode::failed, fmt::format("{}: layer '{}' ({}) {}", model_.name(), layer_.name,
                                             op_name(layer_.op), why));
}

TorchStep make_step(TorchLayer& layer, const Op& op) {
  return std::visit([&](const auto& each) { return step_of(each, layer); }, op);
}

}  // namespace ampere
