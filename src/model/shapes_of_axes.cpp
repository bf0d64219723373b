#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "model/axes.h"
#include "model/checked.h"
#include "model/functions.h"
#include "model/shape_rules.h"

namespace ampere {
namespace {

void check_several(Shapes inputs) {
  if (inputs.size() < 2) refuse(fmt::format("reads two layers or more, not {}", inputs.size()));
  for (const TensorShape& in : inputs)
    if (in.layout == Layout::tokens) refuse("token ids must be embedded first");
}

void check_two(Shapes inputs) {
  check_several(inputs);
  if (inputs.size() != 2) refuse(fmt::format("reads two layers, not {}", inputs.size()));
}

TensorShape combined(Shapes inputs, const char* verb) {
  TensorShape out = inputs[0];
  for (const TensorShape& in : inputs.subspan(1)) {
    std::optional<TensorShape> both = broadcast(out, in);
    if (!both)
      refuse(fmt::format("shapes {} and {} cannot be {}", to_string(out), to_string(in), verb));
    out = std::move(*both);
  }
  return out;
}

void check_parameters(Activation& op) {
  const FunctionInfo& function = info(op.function);
  if (op.parameters.empty())
    for (const FunctionInfo::Parameter& parameter : function.parameters)
      op.parameters.push_back(parameter.otherwise);
  if (op.parameters.size() != function.parameters.size())
    refuse(fmt::format("{} has {} parameters, not {}", function.name, function.parameters.size(),
                       op.parameters.size()));
  for (std::size_t i = 0; i < op.parameters.size(); ++i)
    check_finite(function.parameters[i].name, op.parameters[i]);
  if (op.function == Function::clip && op.parameters[0] > op.parameters[1])
    refuse(fmt::format("low {} is above high {}", op.parameters[0], op.parameters[1]));
}

}  // namespace

TensorShape shape_of(Activation& op, Shapes inputs) {
  check_parameters(op);
  return only_numbers(inputs);
}

TensorShape shape_of(Dropout& op, Shapes inputs) {
  if (!(op.probability >= 0 && op.probability < 1))
    refuse(fmt::format("the probability must be from 0 to below 1, not {}", op.probability));
  return only_numbers(inputs);
}

TensorShape shape_of(Add&, Shapes inputs) {
  check_several(inputs);
  return combined(inputs, "added");
}

TensorShape shape_of(Multiply&, Shapes inputs) {
  check_several(inputs);
  return combined(inputs, "multiplied");
}

TensorShape shape_of(Subtract&, Shapes inputs) {
  check_two(inputs);
  return combined(inputs, "subtracted");
}

TensorShape shape_of(Divide&, Shapes inputs) {
  check_two(inputs);
  return combined(inputs, "divided");
}

TensorShape shape_of(Flatten&, Shapes inputs) { return flat(only_numbers(inputs).elements()); }

TensorShape shape_of(Concat& op, Shapes inputs) {
  check_several(inputs);
  const std::size_t axis = resolve_axis(op.axis, inputs[0]);
  std::int64_t length = 0;
  for (const TensorShape& in : inputs) {
    const std::vector<std::int64_t> axes = in.axes();
    const bool same_axes = in.layout == inputs[0].layout && axis < axes.size();
    if (!same_axes || with_length(in, axis, 1) != with_length(inputs[0], axis, 1))
      refuse(fmt::format("shapes {} and {} cannot be lined up along {}", to_string(inputs[0]),
                         to_string(in), op.axis ? fmt::format("axis {}", *op.axis) : "channels"));
    length = sum({length, axes[axis]});
  }
  return with_length(inputs[0], axis, length);
}

TensorShape shape_of(Chunk& op, Shapes inputs) {
  const TensorShape& in = only_channels(inputs);
  check_range("parts", op.parts, 1, kMaxParts);
  check_divisible(in.channels, op.parts, "parts");
  check_range("index", op.index, 0, op.parts - 1);
  return with_length(in, channel_axis(in), in.channels / op.parts);
}

TensorShape shape_of(Slice& op, Shapes inputs) {
  const TensorShape& in = only_numbers(inputs);
  const std::size_t axis = resolve_axis(op.axis, in);
  const std::int64_t length = in.axes()[axis];
  check_range("begin", op.begin, -length, length - 1);
  if (op.begin < 0) op.begin += length;
  check_range("end", op.end, -length, std::numeric_limits<std::int64_t>::max());
  if (op.end < 0) op.end += length;
  op.end = std::min(op.end, length);
  check_range("step", op.step, 1, kMaxExtent);
  if (op.end <= op.begin) refuse(fmt::format("nothing is left from {} to {}", op.begin, op.end));
  return with_length(in, axis, (op.end - op.begin + op.step - 1) / op.step);
}

TensorShape shape_of(Gather& op, Shapes inputs) {
  const TensorShape& in = only_numbers(inputs);
  const std::size_t axis = resolve_axis(op.axis, in);
  check_range("count", op.count, 1, kMaxExtent);
  TensorShape out = with_length(in, axis, op.count);
  check_shape(out);
  return out;
}

TensorShape shape_of(Softmax& op, Shapes inputs) {
  resolve_axis(op.axis, only_numbers(inputs));
  return inputs[0];
}

TensorShape shape_of(Reduce& op, Shapes inputs) {
  TensorShape out = only_numbers(inputs);
  if (op.axes.empty()) refuse("the axes are missing");
  std::set<std::int64_t> axes;
  for (const std::int64_t each : op.axes) {
    std::optional<std::int64_t> axis = each;
    const std::size_t resolved = resolve_axis(axis, inputs[0]);
    if (!axes.insert(static_cast<std::int64_t>(resolved)).second)
      refuse(fmt::format("axis {} is given twice", resolved));
    out = with_length(std::move(out), resolved, 1);
  }
  op.axes.assign(axes.begin(), axes.end());
  return out;
}

TensorShape shape_of(ChannelShuffle& op, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::line, Layout::image});
  check_divisible(in.channels, op.groups, "groups");
  return in;
}

TensorShape shape_of(ToSequence&, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::line, Layout::image});
  return sequence(in.positions(), in.channels);
}

TensorShape shape_of(FromSequence& op, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::sequence});
  if (op.extent.empty() || op.extent.size() > 2)
    refuse(fmt::format("extent has {} numbers instead of one (line) or two (image)",
                       op.extent.size()));
  const TensorShape out{op.extent.size() == 1 ? Layout::line : Layout::image, in.channels,
                        op.extent};
  check_shape(out);
  if (out.positions() != in.extent[0])
    refuse(fmt::format("{} positions do not make {}", in.extent[0], to_string(out)));
  return out;
}

TensorShape shape_of(TokenMean&, Shapes inputs) {
  return flat(only(inputs, {Layout::sequence}).channels);
}

TensorShape shape_of(TokenSelect& op, Shapes inputs) {
  const TensorShape& in = only(inputs, {Layout::sequence});
  check_range("index", op.index, -in.extent[0], in.extent[0] - 1);
  if (op.index < 0) op.index += in.extent[0];
  return flat(in.channels);
}

TensorShape shape_of(Reshape& op, Shapes inputs) {
  const TensorShape& in = only_numbers(inputs);
  if (op.shape.layout == Layout::tokens) refuse("numbers cannot become token ids");
  check_shape(op.shape);
  if (op.shape.elements() != in.elements())
    refuse(fmt::format("the {} numbers of {} do not make {}", in.elements(), to_string(in),
                       to_string(op.shape)));
  return op.shape;
}

TensorShape shape_of(Permute& op, Shapes inputs) {
  const std::vector<std::int64_t> axes = only_numbers(inputs).axes();
  std::vector<bool> seen(axes.size());
  if (op.order.size() != axes.size())
    refuse(fmt::format("order has {} numbers for an input with {} axes", op.order.size(),
                       axes.size()));
  std::vector<std::int64_t> result;
  for (const std::int64_t axis : op.order) {
    check_range("order", axis, 0, static_cast<std::int64_t>(axes.size()) - 1);
    if (seen[axis]) refuse(fmt::format("axis {} is given twice", axis));
    seen[axis] = true;
    result.push_back(axes[axis]);
  }
  return tensor(std::move(result));
}

TensorShape shape_of(Expand& op, Shapes inputs) {
  const TensorShape& in = only_numbers(inputs);
  if (op.shape.layout == Layout::tokens) refuse("numbers cannot become token ids");
  check_shape(op.shape);
  const std::optional<TensorShape> out = broadcast(op.shape, in);
  if (!out || out->axes() != op.shape.axes())
    refuse(fmt::format("{} cannot be repeated to {}", to_string(in), to_string(op.shape)));
  return op.shape;
}

TensorShape shape_of(MatMul&, Shapes inputs) {
  check_two(inputs);
  std::vector<std::int64_t> left = inputs[0].axes(), right = inputs[1].axes();
  const auto misfit = [&] {
    refuse(fmt::format("{} and {} do not fit for a matrix product", to_string(inputs[0]),
                       to_string(inputs[1])));
  };
  if (left.size() < 2 || right.size() < 2 || left.back() != right[right.size() - 2]) misfit();
  const std::int64_t rows = left[left.size() - 2], columns = right.back();
  left.erase(left.end() - 2, left.end());
  right.erase(right.end() - 2, right.end());
  std::vector<std::int64_t> out;
  if (!left.empty() || !right.empty()) {
    if (left.empty()) left = {1};
    if (right.empty()) right = {1};
    const std::optional<TensorShape> count =
        broadcast(tensor(std::move(left)), tensor(std::move(right)));
    if (!count) misfit();
    out = count->extent;
  }
  out.push_back(rows);
  out.push_back(columns);
  return tensor(std::move(out));
}

}  // namespace ampere
