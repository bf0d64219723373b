#include "model/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "ampere/error.h"
#include "model/checked.h"
#include "model/window.h"

namespace ampere {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::usage, why); }

std::size_t axes_of(Layout layout) {
  switch (layout) {
    case Layout::flat:
      return 0;
    case Layout::tokens:
    case Layout::sequence:
    case Layout::line:
      return 1;
    case Layout::image:
      return 2;
  }
  return 0;
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

void check_divisible(std::int64_t channels, std::int64_t divisor, const char* what) {
  check_range(what, divisor, 1, kMaxChannels);
  if (channels % divisor != 0)
    refuse(fmt::format("{} channels cannot be divided into {} {}", channels, divisor, what));
}

// One visit per operator; `inputs` are the shapes it reads.
class ShapeOf {
 public:
  explicit ShapeOf(std::span<const TensorShape> inputs) : inputs_(inputs) {}

  TensorShape operator()(Input& op) const {
    if (!inputs_.empty()) refuse("an input reads no other layer");
    if (op.shape.extent.size() != axes_of(op.shape.layout))
      refuse(fmt::format("a {} shape has {} extents, not {}", to_string(op.shape.layout),
                         axes_of(op.shape.layout), op.shape.extent.size()));
    if (op.boundary && op.shape.layout == Layout::tokens)
      refuse("token ids carry no gradient: they cannot be a boundary input");
    return op.shape;
  }

  TensorShape operator()(Conv& op) const {
    const TensorShape& in = only({Layout::line, Layout::image});
    const std::size_t axes = in.extent.size();
    if (op.kernel.empty()) refuse("the kernel is missing");
    op.kernel = per_axis("kernel", op.kernel, std::vector<std::int64_t>(axes, 1), 1);
    op.stride = per_axis("stride", op.stride, std::vector<std::int64_t>(axes, 1), 1);
    op.padding = per_axis("padding", op.padding, std::vector<std::int64_t>(axes, 0), 0);
    op.dilation = per_axis("dilation", op.dilation, std::vector<std::int64_t>(axes, 1), 1);
    if (op.depthwise) {
      op.out_channels = 0;
      op.groups = 1;
    } else {
      check_range("out_channels", op.out_channels, 1, kMaxChannels);
      check_divisible(in.channels, op.groups, "groups");
      check_divisible(op.out_channels, op.groups, "groups");
    }
    return {in.layout, op.depthwise ? in.channels : op.out_channels,
            slide({op.kernel, op.stride, op.padding, op.dilation}, in.extent, false)};
  }

  TensorShape operator()(Linear& op) const {
    check_range("out_features", op.out_features, 1, kMaxChannels);
    return with_channels(only({Layout::flat, Layout::sequence}), op.out_features);
  }

  TensorShape operator()(Embedding& op) const {
    check_range("dim", op.dim, 1, kMaxChannels);
    return sequence(only({Layout::tokens}).extent[0], op.dim);
  }

  TensorShape operator()(Recurrent& op) const {
    check_range("hidden", op.hidden, 1, kMaxChannels);
    return with_channels(only({Layout::sequence}), op.hidden);
  }

  TensorShape operator()(SelfAttention& op) const {
    const TensorShape& in = only({Layout::sequence});
    check_divisible(in.channels, op.heads, "heads");
    return in;
  }

  TensorShape operator()(BatchNorm&) const {
    return only({Layout::flat, Layout::line, Layout::image});
  }

  TensorShape operator()(LayerNorm&) const { return only({Layout::flat, Layout::sequence}); }

  TensorShape operator()(ClassToken&) const {
    const TensorShape& in = only({Layout::sequence});
    return sequence(in.extent[0] + 1, in.channels);
  }

  TensorShape operator()(PositionEmbedding&) const { return only({Layout::sequence}); }

  TensorShape operator()(Activation&) const { return only_numbers(); }

  TensorShape operator()(Pool& op) const {
    const TensorShape& in = only({Layout::line, Layout::image});
    const std::size_t axes = in.extent.size();
    if (op.kernel.empty()) refuse("the kernel is missing");
    op.kernel = per_axis("kernel", op.kernel, std::vector<std::int64_t>(axes, 1), 1);
    op.stride = per_axis("stride", op.stride, op.kernel, 1);
    op.padding = per_axis("padding", op.padding, std::vector<std::int64_t>(axes, 0), 0);
    for (std::size_t i = 0; i < axes; ++i)
      if (op.padding[i] > op.kernel[i] / 2)
        refuse(fmt::format("padding {} is more than half of the kernel {}", op.padding[i],
                           op.kernel[i]));
    const std::vector<std::int64_t> dense(axes, 1);
    return {in.layout, in.channels,
            slide({op.kernel, op.stride, op.padding, dense}, in.extent, op.ceil)};
  }

  TensorShape operator()(AdaptivePool& op) const {
    const TensorShape& in = only({Layout::line, Layout::image});
    op.extent = per_axis("extent", op.extent, std::vector<std::int64_t>(in.extent.size(), 1), 1);
    return {in.layout, in.channels, op.extent};
  }

  TensorShape operator()(Flatten&) const { return flat(only_numbers().elements()); }

  TensorShape operator()(Dropout& op) const {
    if (!(op.probability >= 0 && op.probability < 1))
      refuse(fmt::format("the probability must be from 0 to below 1, not {}", op.probability));
    return only_numbers();
  }

  TensorShape operator()(Add&) const {
    several();
    for (const TensorShape& in : inputs_)
      if (in != inputs_[0])
        refuse(
            fmt::format("shapes {} and {} cannot be added", to_string(inputs_[0]), to_string(in)));
    return inputs_[0];
  }

  TensorShape operator()(Multiply&) const {
    several();
    const auto size = [](const TensorShape& in) {
      return std::pair(in.positions(), in.extent.size());
    };
    const auto whole = std::ranges::max_element(inputs_, {}, size);
    for (const TensorShape& in : inputs_) {
      const bool broadcast =
          in.layout == Layout::flat || (in.layout == whole->layout && in.positions() == 1);
      if (in != *whole && !(broadcast && in.channels == whole->channels))
        refuse(
            fmt::format("shapes {} and {} cannot be multiplied", to_string(*whole), to_string(in)));
    }
    return *whole;
  }

  TensorShape operator()(Concat&) const {
    several();
    TensorShape out = inputs_[0];
    out.channels = 0;
    for (const TensorShape& in : inputs_) {
      if (in.layout != out.layout || in.extent != out.extent)
        refuse(fmt::format("shapes {} and {} cannot be lined up along channels",
                           to_string(inputs_[0]), to_string(in)));
      out.channels = sum({out.channels, in.channels});
    }
    return out;
  }

  TensorShape operator()(Chunk& op) const {
    const TensorShape& in = only_numbers();
    check_range("parts", op.parts, 1, kMaxParts);
    check_divisible(in.channels, op.parts, "parts");
    check_range("index", op.index, 0, op.parts - 1);
    return with_channels(in, in.channels / op.parts);
  }

  TensorShape operator()(ChannelShuffle& op) const {
    const TensorShape& in = only({Layout::line, Layout::image});
    check_divisible(in.channels, op.groups, "groups");
    return in;
  }

  TensorShape operator()(ToSequence&) const {
    const TensorShape& in = only({Layout::image});
    return sequence(in.positions(), in.channels);
  }

  TensorShape operator()(TokenMean&) const { return flat(only({Layout::sequence}).channels); }

  TensorShape operator()(TokenSelect& op) const {
    const TensorShape& in = only({Layout::sequence});
    check_range("index", op.index, -in.extent[0], in.extent[0] - 1);
    if (op.index < 0) op.index += in.extent[0];
    return flat(in.channels);
  }

 private:
  static TensorShape with_channels(TensorShape shape, std::int64_t channels) {
    shape.channels = channels;
    return shape;
  }

  const TensorShape& only(std::initializer_list<Layout> layouts) const {
    if (inputs_.size() != 1) refuse(fmt::format("reads one layer, not {}", inputs_.size()));
    const TensorShape& in = inputs_[0];
    if (std::ranges::find(layouts, in.layout) == layouts.end()) {
      std::vector<const char*> names;
      for (const Layout layout : layouts) names.push_back(to_string(layout));
      refuse(fmt::format("needs a {} input, but reads {} ({})", fmt::join(names, " or "),
                         to_string(in), to_string(in.layout)));
    }
    return in;
  }

  const TensorShape& only_numbers() const {
    return only({Layout::flat, Layout::sequence, Layout::line, Layout::image});
  }

  void several() const {
    if (inputs_.size() < 2) refuse(fmt::format("reads two layers or more, not {}", inputs_.size()));
    for (const TensorShape& in : inputs_)
      if (in.layout == Layout::tokens) refuse("token ids must be embedded first");
  }

  std::span<const TensorShape> inputs_;
};

}  // namespace

TensorShape infer_shape(Op& op, std::span<const TensorShape> inputs) {
  TensorShape shape = std::visit(ShapeOf(inputs), op);
  check_size(shape);
  return shape;
}

}  // namespace ampere
