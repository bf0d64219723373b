#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

View with_last(View view, int axis, std::int64_t length) {
  view.axes.back().clear();
  if (length != 1) view.axes.back().push_back({axis, 1, length});
  return view;
}

// The channels last, and beside them whole axes only: (N, H, W, C) of an image.
bool is_channels_last(const Importer& importer, const Value& value) {
  const TensorShape& shape = importer.shape(value);
  if (shape.layout != Layout::image && shape.layout != Layout::line) return false;
  if (value.view.axes.size() != shape.axes().size() + 1) return false;
  if (!is_channels(importer, value, value.view.axes.size() - 1)) return false;
  return std::ranges::all_of(value.view.axes, [](const Axis& axis) { return axis.size() <= 1; });
}

// Over the channels of an image, a linear layer is a convolution of one position.
Value pointwise(Importer& importer, const Node& node, const Value& value, const Constant& weight,
                std::int64_t out) {
  const std::size_t axes = importer.shape(value).extent.size();
  Conv conv;
  conv.out_channels = out;
  conv.kernel = Dims(axes, 1);
  conv.bias = false;
  const int layer = importer.emit(node, conv, {value.layer}, {{"weight", weight}});
  return {layer, with_last(value.view, 0, out)};
}

// What remains of the atoms beside the last axis, in one axis of positions.
Value gathered_positions(Importer& importer, const Node& node, const Value& value) {
  Axis positions;
  const std::vector<Axis>& axes = value.view.axes;
  for (std::size_t i = 0; i + 1 < axes.size(); ++i)
    for (const Atom& atom : axes[i])
      if (atom.axis != kBatch) positions.push_back(atom);
  if (std::ranges::any_of(axes.back(), [](const Atom& atom) { return atom.axis == kBatch; }))
    throw Unsupported{"sums over the batch"};
  const bool has_positions = axes.size() > 2;
  if (!has_positions && positions.empty())
    return importer.rebased(node, value, {axes.back()}, Layout::flat);
  return importer.rebased(node, value, {positions, axes.back()}, Layout::sequence);
}

// `weight` is out × in.
Value linear(Importer& importer, const Node& node, Value value, const Constant& weight) {
  const std::int64_t in = weight.dims()[1], out = weight.dims()[0];
  if (value.view.axes.empty() || length_of(value.view.axes.back()) != in)
    throw Unsupported{fmt::format("a weight of {}x{} does not fit {}", out, in,
                                  fmt::join(dims_of(value.view), "x"))};
  if (is_channels_last(importer, value) && importer.shape(value).layout == Layout::image)
    return pointwise(importer, node, value, weight, out);
  const Layout layout = importer.shape(value).layout;
  const bool in_place = (layout == Layout::flat || layout == Layout::sequence) &&
                        is_channels(importer, value, value.view.axes.size() - 1);
  if (!in_place) {
    const std::optional<std::vector<Axis>> axes = sample_axes(value.view);
    value = axes && axes->size() > 2 && layout == Layout::tensor
                ? importer.settled(node, value, Layout::tensor)
                : gathered_positions(importer, node, value);
  }
  const int layer = importer.emit(node, Linear{out, false}, {value.layer}, {{"weight", weight}});
  const auto last = static_cast<int>(importer.draft()[layer].shape.axes().size()) - 1;
  return {layer, with_last(value.view, last, out)};
}

Value swapped(Value value) {
  std::swap(value.view.axes.end()[-1], value.view.axes.end()[-2]);
  return value;
}

Constant scaled(const Constant& constant, double factor) {
  return factor == 1 ? constant : mapped(constant, [factor](double x) { return factor * x; });
}

Value with_bias(Importer& importer, const Value& value, const Constant& bias) {
  const std::int64_t out = length_of(value.view.axes.back());
  if (!bias.learned && all_equal(bias, 0)) return value;
  const Constant whole = bias.elements() == 1 ? expanded(reshaped(bias, {1}), {out})
                                              : reshaped(bias, {bias.elements()});
  if (whole.elements() != out) throw Unsupported{"a bias that is not one number an output"};
  DraftLayer& layer = importer.draft()[value.layer];
  std::get<Linear>(layer.op).bias = true;
  layer.weights["bias"] = whole;
  return value;
}

}  // namespace

void import_gemm(Importer& importer, const Node& node) {
  Value value = operand_of(importer, node, 0);
  if (value.view.axes.size() != 2) throw Unsupported{"reads a tensor that has not two axes"};
  if (integer(node, "transA", 0) != 0) value = swapped(value);
  const double alpha = real(node, "alpha", 1), beta = real(node, "beta", 1);
  if (!importer.is_constant(node, 1)) throw Unsupported{"multiplies by a computed matrix"};
  Constant weight = importer.constant(node, 1);
  if (weight.dims().size() != 2) throw Unsupported{"the weight has not two axes"};
  if (integer(node, "transB", 0) == 0) weight = transposed(weight, {1, 0});
  value = linear(importer, node, value, scaled(weight, alpha));
  if (importer.has(node, 2) && beta != 0) {
    if (!layer_as<Linear>(importer.draft(), value.layer))
      throw Unsupported{"a bias on a convolution of one position"};
    value = with_bias(importer, value, scaled(importer.constant(node, 2), beta));
  }
  importer.set(node, 0, value);
}

Value product_of(Importer& importer, const Node& node, const Value& left, const Value& right) {
  const std::size_t rank = left.view.axes.size();
  if (rank != right.view.axes.size() || rank < 3)
    throw Unsupported{"multiplies tensors of unequal rank"};
  const Value a = importer.settled(node, left, Layout::tensor);
  const Value b = importer.settled(node, right, Layout::tensor);
  return importer.native_like(importer.emit(node, MatMul{}, {a.layer, b.layer}), left);
}

void import_matmul(Importer& importer, const Node& node) {
  if (importer.is_constant(node, 1)) {
    const Constant& weight = importer.constant(node, 1);
    if (weight.dims().size() != 2)
      throw Unsupported{"multiplies by a constant that has not two axes"};
    return importer.set(
        node, 0, linear(importer, node, operand_of(importer, node, 0), transposed(weight, {1, 0})));
  }
  if (importer.is_constant(node, 0)) {
    const Constant& weight = importer.constant(node, 0);
    if (weight.dims().size() != 2 || importer.dims(node, 1).size() < 2)
      throw Unsupported{"multiplies by a constant that has not two axes"};
    return importer.set(node, 0,
                        swapped(linear(importer, node, swapped(importer.value(node, 1)), weight)));
  }
  importer.set(node, 0,
               product_of(importer, node, importer.value(node, 0), importer.value(node, 1)));
}

}  // namespace ampere::onnx
