#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/axes.h"
#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

// The format rounds up without looking where the last window begins; PyTorch leaves out one that
// would begin in the padding.
void check_rounding(const Exporter& out, const Pool& op) {
  for (std::size_t i = 0; op.ceil && i < op.kernel.size(); ++i) {
    const std::int64_t room = out.input().extent[i] + 2 * op.padding[i] - op.kernel[i];
    if ((room + op.stride[i] - 1) / op.stride[i] + 1 != out.output().extent[i])
      out.refuse("its last window would begin in the padding, which the format does not leave out");
  }
}

// The largest float scale that makes `to` positions of `from`, rounding down.
float scale_of(std::int64_t from, std::int64_t to) {
  const auto length = static_cast<double>(from);
  auto scale = static_cast<float>(static_cast<double>(to) / length);
  while (std::floor(length * static_cast<double>(scale)) < static_cast<double>(to) ||
         std::floor(static_cast<float>(from) * scale) < static_cast<float>(to))
    scale = std::nextafter(scale, std::numeric_limits<float>::max());
  return scale;
}

Exporter::Attributes placement(const Upsample& op) {
  if (op.interpolation == Interpolation::nearest)
    return {text_attribute("mode", "nearest"), text_attribute("nearest_mode", "floor"),
            text_attribute("coordinate_transformation_mode", "asymmetric")};
  return {text_attribute("mode", "linear"),
          text_attribute("coordinate_transformation_mode",
                         op.align_corners ? "align_corners" : "half_pixel")};
}

}  // namespace

void write(Exporter& out, const Pool& op) {
  check_rounding(out, op);
  Dims pads = op.padding;
  pads.insert(pads.end(), op.padding.begin(), op.padding.end());
  Exporter::Attributes attributes{
      integers_attribute("kernel_shape", op.kernel), integers_attribute("strides", op.stride),
      integers_attribute("pads", pads), integer_attribute("ceil_mode", op.ceil ? 1 : 0)};
  if (op.pooling == Pooling::max) return out.give("MaxPool", {out.value()}, attributes);
  attributes.push_back(integer_attribute("count_include_pad", op.count_padding ? 1 : 0));
  out.give("AveragePool", {out.value()}, attributes);
}

void write(Exporter& out, const AdaptivePool& op) {
  const bool max = op.pooling == Pooling::max;
  if (std::ranges::all_of(op.extent, [](std::int64_t length) { return length == 1; }))
    return out.give(max ? "GlobalMaxPool" : "GlobalAveragePool", {out.value()});
  Dims window;
  for (std::size_t i = 0; i < op.extent.size(); ++i) {
    if (out.input().extent[i] % op.extent[i] != 0)
      out.refuse(fmt::format("{} positions do not make {} windows of equal size",
                             out.input().extent[i], op.extent[i]));
    window.push_back(out.input().extent[i] / op.extent[i]);
  }
  out.give(max ? "MaxPool" : "AveragePool", {out.value()},
           {integers_attribute("kernel_shape", window), integers_attribute("strides", window)});
}

// By scales: sizes would name the batch.
void write(Exporter& out, const Upsample& op) {
  FloatTensor scales{{static_cast<std::int64_t>(op.extent.size()) + 2}, {1, 1}};
  for (std::size_t i = 0; i < op.extent.size(); ++i)
    scales.values.push_back(scale_of(out.input().extent[i], op.extent[i]));
  out.give("Resize", {out.value(), "", out.tensor("scales", scales)}, placement(op));
}

void write(Exporter& out, const Pad& op) {
  const TensorShape& shape = out.input();
  const bool has_channels = shape.layout != Layout::tensor;
  Dims before{0}, after{0};
  for (std::size_t axis = 0, extent = 0; axis < shape.axes().size(); ++axis) {
    const bool padded = !(has_channels && axis == channel_axis(shape));
    before.push_back(padded ? op.before[extent] : 0);
    after.push_back(padded ? op.after[extent] : 0);
    if (padded) ++extent;
  }
  before.insert(before.end(), after.begin(), after.end());
  out.give("Pad", {out.value(), out.integers(before), out.number(op.value)});
}

}  // namespace ampere::onnx
