#include "model/axes.h"

#include <utility>

#include "ampere/error.h"
#include "model/checked.h"

namespace ampere {
namespace {

using Axes = std::vector<std::int64_t>;

// Lengths aligned at the end, 1 giving way to the other's.
std::optional<Axes> broadcast_axes(Axes a, Axes b) {
  if (a.size() < b.size()) std::swap(a, b);
  b.insert(b.begin(), a.size() - b.size(), 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 1) a[i] = b[i];
    if (b[i] != 1 && b[i] != a[i]) return std::nullopt;
  }
  return a;
}

TensorShape with_axes(TensorShape shape, const Axes& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) shape = with_length(std::move(shape), i, axes[i]);
  return shape;
}

bool channels_first(const TensorShape& shape) {
  return shape.layout == Layout::flat || shape.layout == Layout::line ||
         shape.layout == Layout::image;
}

}  // namespace

std::size_t channel_axis(const TensorShape& shape) {
  switch (shape.layout) {
    case Layout::tensor:
      return shape.extent.size() - 1;
    case Layout::sequence:
      return 1;
    case Layout::tokens:
    case Layout::flat:
    case Layout::line:
    case Layout::image:
      break;
  }
  return 0;
}

std::int64_t features(const TensorShape& shape) {
  return shape.layout == Layout::tensor ? shape.extent.back() : shape.channels;
}

std::size_t resolve_axis(std::optional<std::int64_t>& axis, const TensorShape& shape) {
  const bool has_channels = shape.layout != Layout::tensor;
  if (!axis && !has_channels)
    throw Error(ErrorCode::usage, "a tensor has no channels: the axis must be given");
  if (!axis) return channel_axis(shape);
  const std::int64_t axes = static_cast<std::int64_t>(shape.axes().size());
  check_range("axis", *axis, -axes, axes - 1);
  if (*axis < 0) *axis += axes;
  const std::size_t resolved = static_cast<std::size_t>(*axis);
  if (has_channels && resolved == channel_axis(shape)) axis.reset();
  return resolved;
}

TensorShape with_length(TensorShape shape, std::size_t axis, std::int64_t length) {
  if (shape.layout == Layout::tensor) {
    shape.extent[axis] = length;
    return shape;
  }
  const std::size_t channels = channel_axis(shape);
  if (axis == channels)
    shape.channels = length;
  else
    shape.extent[axis < channels ? axis : axis - 1] = length;
  return shape;
}

bool spreads_over(const TensorShape& part, const TensorShape& whole) {
  const bool one_position =
      part.layout == Layout::flat ||
      (part.layout == whole.layout && part.layout != Layout::tensor && part.positions() == 1);
  return one_position && part.channels == whole.channels && whole.layout != Layout::tensor;
}

std::optional<TensorShape> broadcast(const TensorShape& a, const TensorShape& b) {
  if (a == b || spreads_over(b, a)) return a;
  if (spreads_over(a, b)) return b;
  const std::optional<Axes> axes = broadcast_axes(a.axes(), b.axes());
  if (!axes) return std::nullopt;
  for (const TensorShape& shape : {a, b})
    if (shape.layout != Layout::tensor && shape.axes().size() == axes->size())
      return with_axes(shape, *axes);
  return tensor(*axes);
}

bool keeps_channels(const TensorShape& before, const TensorShape& after) {
  return before == after ||
         (channels_first(before) && channels_first(after) && before.channels == after.channels);
}

}  // namespace ampere
