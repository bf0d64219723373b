#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <set>

#include "onnx/fold.h"
#include "onnx/handlers.h"
#include "onnx/windows.h"

namespace ampere::onnx {
namespace {

Value as_picture(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  if (rank != 3 && rank != 4) throw Unsupported{"pools over neither one axis nor two"};
  return importer.settled(node, value, rank == 4 ? Layout::image : Layout::line);
}

Pooling pooling_of(const Node& node) {
  return node.op.ends_with("AveragePool") ? Pooling::average : Pooling::max;
}

bool all_are(const Dims& list, std::int64_t number) {
  return std::ranges::all_of(list, [&](std::int64_t each) { return each == number; });
}

// Reductions that a layer has a name for: all positions of an image, or all tokens.
std::optional<Value> named_mean(Importer& importer, const Node& node, const Value& value,
                                const std::set<int>& axes, View view) {
  const TensorShape& shape = importer.shape(value);
  const bool picture = shape.layout == Layout::image || shape.layout == Layout::line;
  if (picture) {
    for (std::size_t i = 0; i < shape.extent.size(); ++i)
      if (shape.extent[i] != 1 && !axes.contains(static_cast<int>(i) + 1)) return std::nullopt;
    if (axes.contains(0)) return std::nullopt;
    return Value{importer.emit(node, AdaptivePool{Dims(shape.extent.size(), 1)}, {value.layer}),
                 std::move(view)};
  }
  if (shape.layout != Layout::sequence || axes != std::set<int>{0}) return std::nullopt;
  for (Axis& axis : view.axes)
    for (Atom& atom : axis)
      if (atom.axis == 1) atom.axis = 0;
  return Value{importer.emit(node, TokenMean{}, {value.layer}), std::move(view)};
}

// The axes of the layer that these axes of the value are, if they are whole ones.
std::optional<std::set<int>> whole_axes(const Importer& importer, const Value& value,
                                        const std::vector<std::size_t>& reduced) {
  std::set<int> axes;
  const Dims lengths = importer.shape(value).axes();
  for (const std::size_t i : reduced)
    for (const Atom& atom : simplified(value.view.axes[i])) {
      if (atom.axis == kBatch) throw Unsupported{"reduces over the batch"};
      if (atom.stride != 1 || atom.length != lengths[atom.axis]) return std::nullopt;
      axes.insert(atom.axis);
    }
  return axes;
}

Reduction reduction_of(const Node& node) {
  if (node.op == "ReduceMean") return Reduction::mean;
  if (node.op == "ReduceL2") return Reduction::l2;
  return node.op == "ReduceSum" ? Reduction::sum : Reduction::max;
}

}  // namespace

void import_pool(Importer& importer, const Node& node) {
  Value value = as_picture(importer, node);
  const Dims extent = importer.shape(value).extent;
  const Dims kernel = integers(node, "kernel_shape", {});
  if (kernel.size() != extent.size() ||
      std::ranges::any_of(kernel, [](std::int64_t each) { return each < 1 || each > 1 << 20; }))
    throw Unsupported{"the kernel does not fit"};
  Window window = window_of(node, extent, kernel);
  if (!all_are(window.dilation, 1)) throw Unsupported{"pools with holes (dilations)"};
  const bool average = pooling_of(node) == Pooling::average;
  const bool counts = integer(node, "count_include_pad", 0) != 0;
  if (average && !counts && !window.symmetric())
    throw Unsupported{"averages without the padding, which differs between sides"};
  value = with_padding(importer, node, value, window, average ? 0 : -FLT_MAX);
  if (all_are(kernel, 1) && all_are(window.stride, 1)) return importer.set(node, 0, value);
  if (average && kernel == importer.shape(value).extent && all_are(window.before, 0))
    return importer.set(
        node, 0,
        importer.native(importer.emit(node, AdaptivePool{Dims(kernel.size(), 1)}, {value.layer})));
  Pool pool{.pooling = pooling_of(node),
            .kernel = kernel,
            .stride = window.stride,
            .padding = window.before,
            .ceil = integer(node, "ceil_mode", 0) != 0,
            .count_padding = !average || counts || all_are(window.before, 0)};
  importer.set(node, 0, importer.native(importer.emit(node, pool, {value.layer})));
}

void import_global_pool(Importer& importer, const Node& node) {
  const Value value = as_picture(importer, node);
  const AdaptivePool pool{Dims(importer.shape(value).extent.size(), 1), pooling_of(node)};
  importer.set(node, 0, importer.native(importer.emit(node, pool, {value.layer})));
}

void import_reduce(Importer& importer, const Node& node) {
  Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  std::vector<std::size_t> reduced;
  for (const std::int64_t axis : axes_of(importer, node, 1, {}))
    reduced.push_back(axis_index(axis, rank));
  if (reduced.empty()) throw Unsupported{"reduces over the batch"};
  std::optional<std::set<int>> axes = whole_axes(importer, value, reduced);
  if (!axes) {
    value = importer.settled(node, value);
    axes = whole_axes(importer, value, reduced);
    if (!axes) throw Unsupported{"reduces over a part of an axis"};
  }
  View view = value.view;
  for (const std::size_t i : reduced) view.axes[i].clear();
  std::optional<Value> result;
  if (node.op == "ReduceMean") result = named_mean(importer, node, value, *axes, view);
  if (!result)
    result = Value{importer.emit(node, Reduce{reduction_of(node), Dims(axes->begin(), axes->end())},
                                 {value.layer}),
                   view};
  if (integer(node, "keepdims", 1) == 0) {
    std::vector<Axis> kept;
    for (std::size_t i = 0; i < rank; ++i)
      if (std::ranges::find(reduced, i) == reduced.end()) kept.push_back(result->view.axes[i]);
    result->view.axes = std::move(kept);
  }
  importer.set(node, 0, *result);
}

Value softmax_of(Importer& importer, const Node& node, const Value& given, std::size_t axis,
                 bool log) {
  Value value = given;
  const auto whole = [&] {
    const Axis& atoms = value.view.axes[axis];
    return atoms.size() == 1 && atoms[0].axis != kBatch && atoms[0].stride == 1 &&
           atoms[0].length == importer.shape(value).axes()[atoms[0].axis];
  };
  if (!whole()) value = importer.settled(node, value);
  if (!whole()) throw Unsupported{"normalises over the batch, or over one number"};
  Softmax softmax{std::nullopt, log};
  const int layer_axis = value.view.axes[axis][0].axis;
  if (layer_axis != channel_axis(importer.shape(value).layout)) softmax.axis = layer_axis;
  return {importer.emit(node, softmax, {value.layer}), value.view};
}

void import_softmax(Importer& importer, const Node& node) {
  const Value value = importer.value(node, 0);
  const std::size_t rank = value.view.axes.size();
  const bool old = importer.file().opset < 13;
  const std::size_t axis = axis_index(integer(node, "axis", old ? 1 : -1), rank);
  if (old && axis + 1 != rank) {  // over all axes from there on
    for (std::size_t i = axis; i < rank; ++i)
      if (i != axis && !value.view.axes[i].empty())
        throw Unsupported{"normalises over several axes"};
  }
  importer.set(node, 0, softmax_of(importer, node, value, axis, node.op == "LogSoftmax"));
}

}  // namespace ampere::onnx
