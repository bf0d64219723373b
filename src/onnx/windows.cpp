#include "onnx/windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/checked.h"

namespace ampere::onnx {
namespace {

Dims checked(const Node& node, std::string_view name, Dims otherwise, std::int64_t low) {
  Dims list = integers(node, name, otherwise);
  if (list.size() != otherwise.size())
    throw Unsupported{
        fmt::format("{} has {} numbers, not {}", name, list.size(), otherwise.size())};
  for (const std::int64_t number : list)
    if (number < low || number > kMaxWindow)
      throw Unsupported{fmt::format("{} has a {}", name, number)};
  return list;
}

// As much as is needed for ceil(input / stride) outputs; the odd one at the end, or at the front.
void pad_to_same(Window& window, const Dims& extent, bool odd_in_front) {
  for (std::size_t i = 0; i < extent.size(); ++i) {
    const std::int64_t outputs = (extent[i] + window.stride[i] - 1) / window.stride[i];
    const std::int64_t reach = window.dilation[i] * (window.kernel[i] - 1) + 1;
    const std::int64_t total =
        std::max<std::int64_t>(0, (outputs - 1) * window.stride[i] + reach - extent[i]);
    window.before[i] = odd_in_front ? total - total / 2 : total / 2;
    window.after[i] = total - window.before[i];
  }
}

}  // namespace

Window window_of(const Node& node, const Dims& extent, const Dims& kernel) {
  const std::size_t axes = extent.size();
  Window window;
  window.kernel = kernel;
  window.stride = checked(node, "strides", Dims(axes, 1), 1);
  window.dilation = checked(node, "dilations", Dims(axes, 1), 1);
  const Dims pads = checked(node, "pads", Dims(2 * axes, 0), 0);
  window.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
  window.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
  const std::string_view automatic = text(node, "auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    pad_to_same(window, extent, automatic == "SAME_LOWER");
  return window;
}

Value with_padding(Importer& importer, const Node& node, const Value& value, Window& window,
                   double number) {
  if (window.symmetric()) return value;
  const int layer = importer.emit(node, Pad{window.before, window.after, number}, {value.layer});
  window.before.assign(window.before.size(), 0);
  window.after = window.before;
  return importer.native(layer);
}

}  // namespace ampere::onnx
