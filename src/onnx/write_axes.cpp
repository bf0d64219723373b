#include <algorithm>
#include <numeric>

#include "model/axes.h"
#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

// An axis of a sample as the format counts it, the batch first; none is the channels.
std::int64_t axis_of(std::optional<std::int64_t> axis, const TensorShape& shape) {
  return axis.value_or(static_cast<std::int64_t>(channel_axis(shape))) + 1;
}

WrittenAttribute order(const Dims& axes) { return integers_attribute("perm", axes); }

void give_reshaped(Exporter& out, const std::string& from, const Dims& sample) {
  out.give("Reshape", {from, out.integers(out.reshape_sizes(sample))});
}

void give_slice(Exporter& out, std::int64_t axis, std::int64_t begin, std::int64_t end,
                std::int64_t step) {
  out.give("Slice", {out.value(), out.integers({begin}), out.integers({end}), out.integers({axis}),
                     out.integers({step})});
}

// What is the same for all samples, once for each of them.
std::string repeated(Exporter& out, std::size_t which, const std::string& like) {
  const Dims axes = out.input(which).axes();
  const std::string batch =
      out.step("Shape", {like}, {integer_attribute("start", 0), integer_attribute("end", 1)});
  const std::string sizes =
      out.step("Concat", {batch, out.integers(axes)}, {integer_attribute("axis", 0)});
  return out.step("Expand", {out.value(which), sizes});
}

}  // namespace

void write(Exporter& out, const Flatten&) {
  out.give("Flatten", {out.value()}, {integer_attribute("axis", 1)});
}

void write(Exporter& out, const Concat& op) {
  const std::size_t count = out.layer().inputs.size();
  std::string like;
  for (std::size_t i = 0; i < count && like.empty(); ++i)
    if (out.batched(i)) like = out.value(i);
  Exporter::Names parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back(out.batched(i) || like.empty() ? out.value(i) : repeated(out, i, like));
  out.give("Concat", parts, {integer_attribute("axis", axis_of(op.axis, out.output()))});
}

void write(Exporter& out, const Chunk& op) {
  const std::int64_t share = out.output().channels;
  give_slice(out, axis_of({}, out.output()), op.index * share, (op.index + 1) * share, 1);
}

void write(Exporter& out, const Slice& op) {
  give_slice(out, axis_of(op.axis, out.output()), op.begin, op.end, op.step);
}

void write(Exporter& out, const Gather& op) {
  const std::vector<float>& index = out.weight("index").values;
  out.give("Gather", {out.value(), out.integers(Dims(index.begin(), index.end()))},
           {integer_attribute("axis", axis_of(op.axis, out.output()))});
}

void write(Exporter& out, const Softmax& op) {
  out.give(op.log ? "LogSoftmax" : "Softmax", {out.value()},
           {integer_attribute("axis", axis_of(op.axis, out.output()))});
}

void write(Exporter& out, const Reduce& op) {
  Dims axes;
  for (const std::int64_t axis : op.axes) axes.push_back(axis + 1);
  const auto by_attribute = [&](const char* name) {
    out.give(name, {out.value()}, {integers_attribute("axes", axes)});
  };
  switch (op.reduction) {
    case Reduction::sum:
      return out.give("ReduceSum", {out.value(), out.integers(axes)});
    case Reduction::max:
      return by_attribute("ReduceMax");
    case Reduction::l2:
      return by_attribute("ReduceL2");
    case Reduction::mean:
      return by_attribute("ReduceMean");
  }
}

void write(Exporter& out, const ChannelShuffle& op) {
  const TensorShape& shape = out.output();
  Dims split{op.groups, shape.channels / op.groups};
  split.insert(split.end(), shape.extent.begin(), shape.extent.end());
  Dims turned(split.size() + 1);
  std::iota(turned.begin(), turned.end(), 0);
  std::swap(turned[1], turned[2]);
  const std::string groups = out.reshaped(out.value(), split);
  give_reshaped(out, out.step("Transpose", {groups}, {order(turned)}), shape.axes());
}

void write(Exporter& out, const ToSequence&) {
  const bool image = out.input().layout == Layout::image;
  const std::string positions =
      image ? out.reshaped(out.value(), {out.input().channels, out.input().positions()})
            : out.value();
  out.give("Transpose", {positions}, {order({0, 2, 1})});
}

void write(Exporter& out, const FromSequence&) {
  if (out.output().layout == Layout::line)
    return out.give("Transpose", {out.value()}, {order({0, 2, 1})});
  give_reshaped(out, out.step("Transpose", {out.value()}, {order({0, 2, 1})}), out.output().axes());
}

void write(Exporter& out, const TokenMean&) {
  out.give("ReduceMean", {out.value()},
           {integers_attribute("axes", {1}), integer_attribute("keepdims", 0)});
}

void write(Exporter& out, const TokenSelect& op) {
  out.give("Gather", {out.value(), out.integer(op.index)}, {integer_attribute("axis", 1)});
}

void write(Exporter& out, const Reshape&) { give_reshaped(out, out.value(), out.output().axes()); }

void write(Exporter& out, const Permute& op) {
  Dims axes{0};
  for (const std::int64_t axis : op.order) axes.push_back(axis + 1);
  out.give("Transpose", {out.value()}, {order(axes)});
}

void write(Exporter& out, const Expand& op) {
  const Dims from = spread_sizes(out.input(), op.shape);
  const std::string value =
      from == out.input().axes() ? out.value() : out.reshaped(out.value(), from);
  Dims axes = op.shape.axes();
  axes.insert(axes.begin(), 1);
  out.give("Expand", {value, out.integers(axes)});
}

}  // namespace ampere::onnx
