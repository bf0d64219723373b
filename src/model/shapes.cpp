#include "model/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "model/checked.h"
#include "model/shape_rules.h"

namespace ampere {
namespace {

std::size_t axes_of(const TensorShape& shape) {
  switch (shape.layout) {
    case Layout::flat:
      return 0;
    case Layout::tokens:
    case Layout::sequence:
    case Layout::line:
      return 1;
    case Layout::image:
      return 2;
    case Layout::tensor:
      break;
  }
  return std::clamp<std::size_t>(shape.extent.size(), 1, kMaxAxes);
}

void check_size(const TensorShape& shape) {
  check_range("channels", shape.channels, 1, kMaxChannels);
  std::int64_t elements = shape.layout == Layout::tokens ? 1 : shape.channels;
  for (const std::int64_t length : shape.extent) {
    check_range("each extent", length, 1, kMaxExtent);
    elements = product({elements, length});
    check_range("the number of elements", elements, 1, kMaxElements);
  }
}

}  // namespace

void refuse(const std::string& why) { throw Error(ErrorCode::usage, why); }

const TensorShape& only(Shapes inputs, std::initializer_list<Layout> layouts) {
  if (inputs.size() != 1) refuse(fmt::format("reads one layer, not {}", inputs.size()));
  const TensorShape& in = inputs[0];
  if (std::ranges::find(layouts, in.layout) == layouts.end()) {
    std::vector<const char*> names;
    for (const Layout layout : layouts) names.push_back(to_string(layout));
    refuse(fmt::format("needs a {} input, but reads {} ({})", fmt::join(names, " or "),
                       to_string(in), to_string(in.layout)));
  }
  return in;
}

const TensorShape& only_channels(Shapes inputs) {
  return only(inputs, {Layout::flat, Layout::sequence, Layout::line, Layout::image});
}

const TensorShape& only_numbers(Shapes inputs) {
  return only(inputs,
              {Layout::flat, Layout::sequence, Layout::line, Layout::image, Layout::tensor});
}

void check_divisible(std::int64_t channels, std::int64_t divisor, const char* what) {
  check_range(what, divisor, 1, kMaxChannels);
  if (channels % divisor != 0)
    refuse(fmt::format("{} channels cannot be divided into {} {}", channels, divisor, what));
}

void check_finite(const std::string& what, double value) {
  if (!std::isfinite(value)) refuse(fmt::format("{} must be a finite number", what));
}

void check_shape(const TensorShape& shape) {
  if (shape.extent.size() != axes_of(shape))
    refuse(fmt::format("a {} shape has {} extents, not {}", to_string(shape.layout), axes_of(shape),
                       shape.extent.size()));
  if (shape.layout == Layout::tensor && shape.channels != 1)
    refuse("a tensor has no channels: all its axes are extents");
  check_size(shape);
}

TensorShape infer_shape(Op& op, std::span<const TensorShape> inputs) {
  TensorShape shape = std::visit([&](auto& each) { return shape_of(each, inputs); }, op);
  check_size(shape);
  return shape;
}

}  // namespace ampere
