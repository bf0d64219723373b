#include "train/torch_layer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "model/axes.h"
#include "train/torch_steps.h"

namespace ampere {

TorchLayer::TorchLayer(const Model& model, int index, const TorchPlace& place,
                       std::vector<int> read, std::vector<TorchWeight>& weights,
                       const std::vector<TorchWeight>& shared)
    : model_(model),
      layer_(model.layers()[index]),
      index_(index),
      place_(place),
      read_(std::move(read)),
      shapes_(weight_shapes(layer_, model)),
      weights_(weights),
      shared_(shared) {}

const TensorShape& TorchLayer::input(std::size_t which) const {
  return model_.layers()[layer_.inputs[which]].output;
}

std::vector<std::int64_t> TorchLayer::sizes(const std::vector<std::int64_t>& axes) const {
  std::vector<std::int64_t> sizes = {place_.batch};
  sizes.insert(sizes.end(), axes.begin(), axes.end());
  return sizes;
}

std::int64_t TorchLayer::channel_dim() const { return dim(channel_axis(layer_.output)); }

const WeightShape* TorchLayer::shape_of(const std::string& name) const {
  const auto found = std::ranges::find(shapes_, name, &WeightShape::name);
  return found == shapes_.end() ? nullptr : &*found;
}

template <class Fill>
at::Tensor TorchLayer::weight(const std::string& name, const Fill& fill) {
  if (name == "weight" && layer_.shares >= 0) {
    const auto theirs = [&](const TorchWeight& other) {
      return other.layer == layer_.shares && other.name == name;
    };
    return std::ranges::find_if(weights_, theirs)->value;
  }
  const WeightShape* shape = shape_of(name);
  if (!shape) return {};
  if (shares()) {
    const auto own = [&](const TorchWeight& other) {
      return other.layer == index_ && other.name == name;
    };
    weights_.push_back(*std::ranges::find_if(shared_, own));
    return weights_.back().value;
  }
  const at::Tensor value = at::empty(shape->sizes, at::device(place_.device));
  fill(value);
  weights_.push_back({value, index_, name, shape->learned});
  return value;
}

at::Tensor TorchLayer::filled(const char* name, double value) {
  return weight(name, [=](const at::Tensor& empty) { empty.fill_(value); });
}

at::Tensor TorchLayer::counted(const char* name, std::int64_t below) {
  return weight(name, [=](const at::Tensor& empty) {
    empty.copy_(at::arange(empty.numel(), empty.options()).remainder(below));
  });
}

at::Tensor TorchLayer::uniform(const std::string& name, double bound) {
  return weight(name, [=](const at::Tensor& empty) { empty.uniform_(-bound, bound); });
}

at::Tensor TorchLayer::normal(const char* name, double deviation) {
  return weight(name, [=](const at::Tensor& empty) { empty.normal_(0, deviation); });
}

TorchLayer::Affine TorchLayer::affine(const char* matrix, const char* bias) {
  const WeightShape* own = shape_of(matrix);  // none where it is shared
  const std::vector<std::int64_t> sizes =
      own ? own->sizes : weight(matrix, [](const at::Tensor&) {}).sizes().vec();
  double fan_in = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) fan_in *= static_cast<double>(sizes[i]);
  const double bound = 1 / std::sqrt(fan_in);
  const at::Tensor values = uniform(matrix, bound);
  return {values, uniform(bias, bound)};
}

TorchLayer::Affine TorchLayer::scale_and_shift() {
  const at::Tensor scale = filled("weight", 1);
  return {scale, filled("bias", 0)};
}

void TorchLayer::fail(const std::string& why) const {
  throw Error(ErrorCode::failed, fmt::format("{}: layer '{}' ({}) {}", model_.name(), layer_.name,
                                             op_name(layer_.op), why));
}

TorchStep make_step(TorchLayer& layer, const Op& op) {
  return std::visit([&](const auto& each) { return step_of(each, layer); }, op);
}

}  // namespace ampere
