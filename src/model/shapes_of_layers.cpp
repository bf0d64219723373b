#include <fmt/format.h>

#include <algorithm>

#include "model/axes.h"
#include "model/checked.h"
#include "model/shape_rules.h"
#include "model/window.h"

namespace ampere {
namespace {

using Sizes = std::vector<std::int64_t>;

TensorShape with_features(const TensorShape& shape, std::int64_t count) {
  return with_length(shape, channel_axis(shape), count);
}

const TensorShape& only_spatial(Shapes inputs) {
  return only(inputs, {Layout::line, Layout::image});
}

void check_epsilon(double epsilon) {
  if (!(epsilon >= 0 && epsilon <= 1))
    refuse(fmt::format("epsilon must be from 0 to 1, not {}", epsilon));
}

// Kernel, stride, padding and dilation, one number per axis each.
template <class Window>
void complete_window(Window& op, std::size_t axes) {
  if (op.kernel.empty()) refuse("the kernel is missing");
  op.kernel = per_axis("kernel", op.kernel, Sizes(axes, 1), 1);
  op.stride = per_axis("stride", op.stride, Sizes(axes, 1), 1);
  op.padding = per_axis("padding", op.padding, Sizes(axes, 0), 0);
  op.dilation = per_axis("dilation", op.dilation, Sizes(axes, 1), 1);
}

void check_channels(std::int64_t in, std::int64_t out, std::int64_t groups) {
  check_range("out_channels", out, 1, kMaxChannels);
  check_divisible(in, groups, "groups");
  check_divisible(out, groups, "groups");
}

void check_reads_nothing(const char* what, Shapes inputs) {
  if (!inputs.empty()) refuse(fmt::format("{} reads no other layer", what));
}

}  // namespace

TensorShape shape_of(Input& op, Shapes inputs) {
  check_reads_nothing("an input", inputs);
  check_shape(op.shape);
  if (op.boundary && op.shape.layout == Layout::tokens)
    refuse("token ids carry no gradient: they cannot be a boundary input");
  return op.shape;
}

TensorShape shape_of(Parameter& op, Shapes inputs) {
  check_reads_nothing("a parameter", inputs);
  if (op.shape.layout == Layout::tokens) refuse("token ids cannot be learned");
  check_shape(op.shape);
  check_range("rows", op.rows, 0, kMaxChannels);
  if (op.rows > 0 && op.shape.layout != Layout::sequence)
    refuse("rows of a table make up a sequence, no other layout");
  return op.shape;
}

TensorShape shape_of(Conv& op, Shapes inputs) {
  const TensorShape& in = only_spatial(inputs);
  complete_window(op, in.extent.size());
  if (op.depthwise) {
    op.out_channels = 0;
    op.groups = 1;
  } else {
    check_channels(in.channels, op.out_channels, op.groups);
  }
  return {in.layout, op.depthwise ? in.channels : op.out_channels,
          slide({op.kernel, op.stride, op.padding, op.dilation}, in.extent, false)};
}

TensorShape shape_of(ConvTranspose& op, Shapes inputs) {
  const TensorShape& in = only_spatial(inputs);
  const std::size_t axes = in.extent.size();
  complete_window(op, axes);
  op.output_padding = per_axis("output_padding", op.output_padding, Sizes(axes, 0), 0);
  for (std::size_t i = 0; i < axes; ++i)
    if (op.output_padding[i] >= std::max(op.stride[i], op.dilation[i]))
      refuse(fmt::format("output_padding {} is not below stride {} or dilation {}",
                         op.output_padding[i], op.stride[i], op.dilation[i]));
  check_channels(in.channels, op.out_channels, op.groups);
  return {in.layout, op.out_channels,
          spread({op.kernel, op.stride, op.padding, op.dilation}, op.output_padding, in.extent)};
}

TensorShape shape_of(Linear& op, Shapes inputs) {
  check_range("out_features", op.out_features, 1, kMaxChannels);
  return with_features(only(inputs, {Layout::flat, Layout::sequence, Layout::tensor}),
                       op.out_features);
}

TensorShape shape_of(Embedding& op, Shapes inputs) {
  check_range("dim", op.dim, 1, kMaxChannels);
  return sequence(only(inputs, {Layout::tokens}).extent[0], op.dim);
}

TensorShape shape_of(Recurrent& op, Shapes inputs) {
  check_range("hidden", op.hidden, 1, kMaxChannels);
  return with_features(only(inputs, {Layout::sequence}), (op.bidirectional ? 2 : 1) * op.hidden);
}

TensorShape shape_of(SelfAttention& op, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::sequence});
  check_divisible(in.channels, op.heads, "heads");
  return in;
}

TensorShape shape_of(BatchNorm& op, Shapes inputs) {
  check_epsilon(op.epsilon);
  return only(inputs, {Layout::flat, Layout::line, Layout::image});
}

TensorShape shape_of(LayerNorm& op, Shapes inputs) {
  check_epsilon(op.epsilon);
  return only_numbers(inputs);
}

TensorShape shape_of(GroupNorm& op, Shapes inputs) {
  check_epsilon(op.epsilon);
  const TensorShape& in = only(inputs, {Layout::flat, Layout::line, Layout::image});
  check_divisible(in.channels, op.groups, "groups");
  return in;
}

TensorShape shape_of(InstanceNorm& op, Shapes inputs) {
  check_epsilon(op.epsilon);
  const TensorShape& in = only_spatial(inputs);
  if (in.positions() == 1) refuse("would see a single value per channel");
  return in;
}

TensorShape shape_of(Scale&, Shapes inputs) { return only_channels(inputs); }

TensorShape shape_of(PRelu& op, Shapes inputs) {
  return op.shared ? only_numbers(inputs) : only_channels(inputs);
}

TensorShape shape_of(ClassToken&, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::sequence});
  return sequence(in.extent[0] + 1, in.channels);
}

TensorShape shape_of(PositionEmbedding& op, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::sequence});
  if (op.rows == in.extent[0]) op.rows = 0;
  if (op.rows != 0) check_range("rows", op.rows, in.extent[0], kMaxChannels);
  return in;
}

TensorShape shape_of(Pool& op, Shapes inputs) {
  const TensorShape& in = only_spatial(inputs);
  const std::size_t axes = in.extent.size();
  if (op.kernel.empty()) refuse("the kernel is missing");
  op.kernel = per_axis("kernel", op.kernel, Sizes(axes, 1), 1);
  op.stride = per_axis("stride", op.stride, op.kernel, 1);
  op.padding = per_axis("padding", op.padding, Sizes(axes, 0), 0);
  bool padded = false;
  for (std::size_t i = 0; i < axes; ++i) {
    padded = padded || op.padding[i] > 0;
    if (op.padding[i] > op.kernel[i] / 2)
      refuse(fmt::format("padding {} is more than half of the kernel {}", op.padding[i],
                         op.kernel[i]));
  }
  if (op.pooling == Pooling::max || !padded) op.count_padding = true;
  const Sizes dense(axes, 1);
  return {in.layout, in.channels,
          slide({op.kernel, op.stride, op.padding, dense}, in.extent, op.ceil)};
}

TensorShape shape_of(AdaptivePool& op, Shapes inputs) {
  const TensorShape& in = only_spatial(inputs);
  op.extent = per_axis("extent", op.extent, Sizes(in.extent.size(), 1), 1);
  return {in.layout, in.channels, op.extent};
}

TensorShape shape_of(Upsample& op, Shapes inputs) {
  const TensorShape& in = only_spatial(inputs);
  if (op.extent.empty()) refuse("the extent is missing");
  op.extent = per_axis("extent", op.extent, in.extent, 1);
  if (op.interpolation == Interpolation::nearest) op.align_corners = false;
  return {in.layout, in.channels, op.extent};
}

TensorShape shape_of(Pad& op, Shapes inputs) {
  TensorShape out = only_numbers(inputs);
  if (out.layout == Layout::flat) refuse("a flat input has no extent to pad");
  const Sizes none(out.extent.size(), 0);
  op.before = per_axis("before", op.before, none, 0);
  op.after = per_axis("after", op.after, none, 0);
  check_finite("value", op.value);
  for (std::size_t i = 0; i < out.extent.size(); ++i) out.extent[i] += op.before[i] + op.after[i];
  return out;
}

}  // namespace ampere
