#include "lowering/axis_layers.h"

#include <limits>

#include "lowering/pointwise.h"
#include "lowering/products.h"
#include "lowering/reductions.h"
#include "lowering/views.h"
#include "lowering/windows.h"
#include "model/axes.h"

namespace ampere::lowering {
namespace {

// With axes of length 1 after the batch until there are as many as asked.
Tensor with_rank(const LayerCall& call, std::size_t input, std::size_t rank) {
  const Sizes axes = call.shape(input).axes();
  if (axes.size() >= rank) return call.inputs[input];
  Sizes sizes(1 + rank - axes.size(), 1);
  sizes[0] = call.batch;
  sizes.insert(sizes.end(), axes.begin(), axes.end());
  return reshape(call.eager, call.inputs[input], sizes);
}

// One number per channel goes to the channels of the result; other missing axes come first.
Tensor operand(const LayerCall& call, std::size_t input) {
  const TensorShape &shape = call.shape(input), &whole = call.layer.output;
  const std::size_t rank = whole.axes().size();
  if (shape.layout == whole.layout || !spreads_over(shape, whole))
    return with_rank(call, input, rank);
  Sizes sizes(rank + 1, 1);
  sizes[0] = call.batch;
  sizes[channel_axis(whole) + 1] = shape.channels;
  return reshape(call.eager, call.inputs[input], sizes);
}

using Combine = Tensor (*)(Eager&, const Tensor&, const Tensor&);

Tensor folded(const LayerCall& call, Combine combine) {
  Tensor result = operand(call, 0);
  for (std::size_t i = 1; i < call.inputs.size(); ++i)
    result = combine(call.eager, result, operand(call, i));
  return result;
}

// The axis as PyTorch counts it, the channels if none is given.
int dim_of(const LayerCall& call, const std::optional<std::int64_t>& axis) {
  const TensorShape& shape = call.shape();
  if (!axis) return static_cast<int>(channel_axis(shape)) + 1;
  return static_cast<int>(axis_of(*axis, shape.axes().size())) + 1;
}

Sizes dims_of(const LayerCall& call, const Sizes& axes) {
  Sizes dims;
  for (const std::int64_t axis : axes)
    dims.push_back(static_cast<std::int64_t>(axis_of(axis, call.shape().axes().size())) + 1);
  return dims;
}

// Python's x[:, …, begin:end] reads every axis before in full, each by a call of its own.
Tensor read_in_full(const LayerCall& call, int axes) {
  Tensor result = call.x();
  if (call.eager.dialect.slices_every_axis)
    for (int axis = 0; axis < axes; ++axis)
      result = slice(call.eager, result, axis, 0, std::numeric_limits<std::int64_t>::max());
  return result;
}

}  // namespace

Tensor call_along_axes(const LayerCall& call, const Add&) { return folded(call, add); }
Tensor call_along_axes(const LayerCall& call, const Multiply&) { return folded(call, multiply); }
Tensor call_along_axes(const LayerCall& call, const Subtract&) { return folded(call, subtract); }
Tensor call_along_axes(const LayerCall& call, const Divide&) { return folded(call, divide); }

Tensor call_along_axes(const LayerCall& call, const Concat& op) {
  return cat(call.eager, call.inputs, dim_of(call, op.axis));
}

Tensor call_along_axes(const LayerCall& call, const Chunk& op) {
  const int dim = dim_of(call, {});
  return split(call.eager, call.x(), call.x().size(dim) / op.parts, dim).at(op.index);
}

Tensor call_along_axes(const LayerCall& call, const Slice& op) {
  const int dim = dim_of(call, op.axis);
  return slice(call.eager, read_in_full(call, dim), dim, op.begin, op.end, op.step);
}

Tensor call_gather(const LayerCall& call, const Gather& op) {
  const int dim = dim_of(call, op.axis);
  return pick(call.eager, read_in_full(call, dim), dim, call.weight("index"));
}

Tensor call_along_axes(const LayerCall& call, const Softmax& op) {
  const int dim = dim_of(call, op.axis);
  return op.log ? log_softmax(call.eager, call.x(), dim) : softmax(call.eager, call.x(), dim);
}

Tensor call_along_axes(const LayerCall& call, const Reduce& op) {
  const Sizes dims = dims_of(call, op.axes);
  switch (op.reduction) {
    case Reduction::mean:
      break;
    case Reduction::sum:
      return sum(call.eager, call.x(), dims);
    case Reduction::max:
      return largest(call.eager, call.x(), dims);
    case Reduction::l2:
      return root_of_squares(call.eager, call.x(), dims);
  }
  return mean(call.eager, call.x(), dims, true);
}

Tensor call_along_axes(const LayerCall& call, const Pad& op) {
  const TensorShape& shape = call.shape();
  Sizes amounts;
  std::size_t extent = shape.extent.size();
  for (std::size_t axis = shape.axes().size(); axis-- > 0;) {
    if (shape.layout != Layout::tensor && axis == channel_axis(shape)) {
      amounts.insert(amounts.end(), {0, 0});
      continue;
    }
    --extent;
    amounts.insert(amounts.end(), {op.before[extent], op.after[extent]});
  }
  return pad(call.eager, call.x(), amounts, op.value);
}

Tensor call_along_axes(const LayerCall& call, const Flatten&) {
  return flatten(call.eager, call.x(), 1);
}

Tensor call_along_axes(const LayerCall& call, const ChannelShuffle& op) {
  const TensorShape& shape = call.layer.output;
  Sizes split{call.batch, op.groups, shape.channels / op.groups};
  split.insert(split.end(), shape.extent.begin(), shape.extent.end());
  const Tensor mixed = transpose(call.eager, reshape(call.eager, call.x(), split), 1, 2);
  return view_as(call.eager, contiguous(call.eager, mixed), call.sizes(shape));
}

Tensor call_along_axes(const LayerCall& call, const ToSequence&) {
  return transpose(call.eager, flatten(call.eager, call.x(), 2), 1, 2);
}

Tensor call_along_axes(const LayerCall& call, const FromSequence&) {
  return reshape(call.eager, transpose(call.eager, call.x(), 1, 2), call.sizes(call.layer.output));
}

Tensor call_along_axes(const LayerCall& call, const TokenMean&) {
  return mean(call.eager, call.x(), {1}, false);
}

Tensor call_along_axes(const LayerCall& call, const TokenSelect& op) {
  const auto length = static_cast<std::size_t>(call.x().size(1));
  return select(call.eager, call.x(), 1, static_cast<std::int64_t>(axis_of(op.index, length)));
}

Tensor call_along_axes(const LayerCall& call, const Reshape&) {
  return reshape(call.eager, call.x(), call.sizes(call.layer.output));
}

Tensor call_along_axes(const LayerCall& call, const Permute& op) {
  Sizes order = dims_of(call, op.order);
  order.insert(order.begin(), 0);
  return permute(call.eager, call.x(), order);
}

Tensor call_along_axes(const LayerCall& call, const Expand&) {
  return expand(call.eager, operand(call, 0), call.sizes(call.layer.output));
}

Tensor call_along_axes(const LayerCall& call, const MatMul&) {
  const std::size_t rank = call.layer.output.axes().size();
  const Tensor left = with_rank(call, 0, rank);
  return matmul(call.eager, left, with_rank(call, 1, rank));
}

Tensor call_along_axes(const LayerCall& call, const Input&) { return call.x(); }

}  // namespace ampere::lowering
