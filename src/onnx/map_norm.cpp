#include <algorithm>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

std::map<std::string, Constant> scale_and_shift(Importer& importer, const Node& node,
                                                std::int64_t channels) {
  const Constant& scale = importer.constant(node, 1);
  if (scale.elements() != channels) throw Unsupported{"its scale is not one number a channel"};
  Constant shift = filled({channels}, 0);
  if (importer.has(node, 2)) shift = importer.constant(node, 2);
  if (shift.elements() != channels) throw Unsupported{"its shift is not one number a channel"};
  return {{"weight", scale}, {"bias", shift}};
}

Layout layout_by_rank(std::size_t rank) {
  return rank == 2   ? Layout::flat
         : rank == 3 ? Layout::line
         : rank == 4 ? Layout::image
                     : Layout::tensor;
}

// An image or a line, its channels after the batch.
bool is_picture(const Importer& importer, const Value& value) {
  const Layout layout = importer.shape(value).layout;
  return (layout == Layout::image || layout == Layout::line) && is_channels(importer, value, 1);
}

// Scales that are all 1 and shifts that are all 0, as exporters make them up around a
// normalisation over groups.
bool is_plain(const std::map<std::string, Constant>& weights) {
  return all_equal(weights.at("weight"), 1) && all_equal(weights.at("bias"), 0);
}

// (N, groups, the rest): how a normalisation over groups is written.
bool is_grouped(const Importer& importer, const Value& value) {
  const TensorShape& shape = importer.shape(value);
  if (shape.layout != Layout::image && shape.layout != Layout::line) return false;
  const std::vector<Axis>& axes = value.view.axes;
  if (axes.size() < 3 || axes[1].size() != 1 || axes[1][0].axis != 0) return false;
  const Atom& group = axes[1][0];
  if (group.stride * group.length != shape.channels) return false;
  Axis rest{{0, 1, group.stride}};
  if (group.stride == 1) rest.clear();
  for (std::size_t i = 0; i < shape.extent.size(); ++i)
    if (shape.extent[i] != 1) rest.push_back({static_cast<int>(i) + 1, 1, shape.extent[i]});
  Axis given;
  for (std::size_t i = 2; i < axes.size(); ++i)
    given.insert(given.end(), axes[i].begin(), axes[i].end());
  return simplified(given) == simplified(rest);
}

}  // namespace

void import_batch_norm(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  if (value.view.axes.size() < 2) throw Unsupported{"normalises a tensor without channels"};
  const Layout layout = importer.shape(value).layout;
  // Tokens beside channels: over the channels of a sequence, at every position.
  if (!(is_channels(importer, value, 1) && layout != Layout::sequence))
    value = importer.settled(node, value, layout_by_rank(value.view.axes.size()));
  const std::int64_t channels = importer.shape(value).channels;
  std::map<std::string, Constant> weights = scale_and_shift(importer, node, channels);
  const char* const statistics[] = {"running_mean", "running_var"};
  for (std::size_t i = 0; i < 2; ++i) {
    weights[statistics[i]] = importer.constant(node, 3 + i);
    if (weights[statistics[i]].elements() != channels)
      throw Unsupported{"its statistics are not one number a channel"};
  }
  const int layer = importer.emit(node, BatchNorm{real(node, "epsilon", 1e-5)}, {value.layer},
                                  std::move(weights));
  importer.set(node, 0, Value{layer, value.view});
}

void import_layer_norm(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  const std::size_t axis = axis_index(integer(node, "axis", -1), rank);
  if (axis + 1 != rank) throw Unsupported{"normalises over several axes"};
  if (!is_channels(importer, value, axis)) value = importer.settled(node, value);
  const std::int64_t channels = length_of(value.view.axes.back());
  const TensorShape& shape = importer.shape(value);
  if (channels != (shape.layout == Layout::tensor ? shape.extent.back() : shape.channels))
    throw Unsupported{"normalises over an axis that is not the channels"};
  const int layer = importer.emit(node, LayerNorm{real(node, "epsilon", 1e-5), true}, {value.layer},
                                  scale_and_shift(importer, node, channels));
  importer.set(node, 0, Value{layer, value.view});
}

void import_instance_norm(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const double epsilon = real(node, "epsilon", 1e-5);
  const std::size_t rank = value.view.axes.size();
  if (rank < 3) throw Unsupported{"normalises a tensor without positions"};
  if (is_grouped(importer, value) && !is_channels(importer, value, 1)) {
    const std::int64_t groups = length_of(value.view.axes[1]);
    if (!is_plain(scale_and_shift(importer, node, groups)))
      throw Unsupported{"scales groups of channels"};
    const int layer = importer.emit(node, GroupNorm{groups, epsilon, false}, {value.layer});
    return importer.set(node, 0, Value{layer, value.view});
  }
  if (!is_picture(importer, value)) value = importer.settled(node, value, layout_by_rank(rank));
  auto weights = scale_and_shift(importer, node, length_of(value.view.axes[1]));
  const bool affine = !is_plain(weights);
  if (!affine) weights.clear();
  importer.set(node, 0,
               Value{importer.emit(node, InstanceNorm{epsilon, affine}, {value.layer}, weights),
                     value.view});
}

void import_group_norm(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  if (rank < 3) throw Unsupported{"normalises a tensor without positions"};
  if (!is_picture(importer, value)) value = importer.settled(node, value, layout_by_rank(rank));
  const std::int64_t channels = importer.shape(value).channels;
  const std::int64_t groups = integer(node, "num_groups", 1);
  std::map<std::string, Constant> weights{{"weight", importer.constant(node, 1)},
                                          {"bias", importer.constant(node, 2)}};
  for (auto& [name, constant] : weights) {  // before opset 21, one number a group
    const std::int64_t given = constant.elements();
    if (given == groups && groups != channels && groups > 0 && channels % groups == 0)
      constant = reshaped(expanded(reshaped(constant, {groups, 1}), {groups, channels / groups}),
                          {channels});
    if (constant.elements() != channels) throw Unsupported{"its scale does not fit the channels"};
  }
  const int layer = importer.emit(node, GroupNorm{groups, real(node, "epsilon", 1e-5), true},
                                  {value.layer}, std::move(weights));
  importer.set(node, 0, Value{layer, value.view});
}

}  // namespace ampere::onnx
