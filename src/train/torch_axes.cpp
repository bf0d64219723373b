#include <ATen/ATen.h>

#include "model/axes.h"
#include "train/torch_steps.h"

namespace ampere {
namespace {

using Values = TorchValues;
using Sizes = std::vector<std::int64_t>;

std::int64_t dim_of(std::optional<std::int64_t> axis, const TorchLayer& layer) {
  return axis ? TorchLayer::dim(static_cast<std::size_t>(*axis)) : layer.channel_dim();
}

Sizes dims_of(const Sizes& axes) {
  Sizes dims;
  for (const std::int64_t axis : axes) dims.push_back(axis + 1);
  return dims;
}

// What is read, with axes of length 1 put after the batch until there are as many as asked.
TorchStep with_rank(const TorchLayer& layer, std::size_t which, std::size_t rank) {
  const int x = layer.inputs()[which];
  const std::size_t own = layer.input(which).axes().size();
  if (own >= rank) return [x](const Values& v) { return v[x]; };
  Sizes axes(rank - own, 1);
  for (const std::int64_t length : layer.input(which).axes()) axes.push_back(length);
  return [x, sizes = layer.sizes(axes)](const Values& v) { return v[x].reshape(sizes); };
}

}  // namespace

TorchStep operand(const TorchLayer& layer, std::size_t which, const TensorShape& whole) {
  const TensorShape& shape = layer.input(which);
  const bool per_channel = shape.layout != whole.layout && spreads_over(shape, whole);
  if (!per_channel) return with_rank(layer, which, whole.axes().size());
  Sizes axes(whole.axes().size(), 1);
  axes[channel_axis(whole)] = shape.channels;
  return [x = layer.inputs()[which], sizes = layer.sizes(axes)](const Values& v) {
    return v[x].reshape(sizes);
  };
}

TorchStep step_of(const Input&, TorchLayer&) { return {}; }

// PyTorch lists the last axis first.
TorchStep step_of(const Pad& op, TorchLayer& layer) {
  const TensorShape& shape = layer.input();
  const bool has_channels = shape.layout != Layout::tensor;
  Sizes amounts;
  std::size_t extent = shape.extent.size();
  for (std::size_t axis = shape.axes().size(); axis-- > 0;) {
    const bool padded = !(has_channels && axis == channel_axis(shape));
    if (padded) --extent;
    amounts.push_back(padded ? op.before[extent] : 0);
    amounts.push_back(padded ? op.after[extent] : 0);
  }
  return [=, x = layer.from(), value = op.value](const Values& v) {
    return at::constant_pad_nd(v[x], amounts, value);
  };
}

TorchStep step_of(const Flatten&, TorchLayer& layer) {
  return [x = layer.from()](const Values& v) { return at::flatten(v[x], 1); };
}

TorchStep step_of(const Concat& op, TorchLayer& layer) {
  return [inputs = layer.inputs(), dim = dim_of(op.axis, layer)](const Values& v) {
    std::vector<at::Tensor> parts;
    parts.reserve(inputs.size());
    for (const int i : inputs) parts.push_back(v[i]);
    return at::cat(parts, dim);
  };
}

TorchStep step_of(const Chunk& op, TorchLayer& layer) {
  return [x = layer.from(), op, dim = layer.channel_dim()](const Values& v) {
    return at::chunk(v[x], op.parts, dim)[op.index];
  };
}

TorchStep step_of(const Slice& op, TorchLayer& layer) {
  return [x = layer.from(), op, dim = dim_of(op.axis, layer)](const Values& v) {
    return v[x].slice(dim, op.begin, op.end, op.step);
  };
}

TorchStep step_of(const Softmax& op, TorchLayer& layer) {
  const int x = layer.from();
  const std::int64_t dim = dim_of(op.axis, layer);
  if (op.log) return [=](const Values& v) { return at::log_softmax(v[x], dim); };
  return [=](const Values& v) { return at::softmax(v[x], dim); };
}

TorchStep step_of(const Reduce& op, TorchLayer& layer) {
  const int x = layer.from();
  const Sizes dims = dims_of(op.axes);
  switch (op.reduction) {
    case Reduction::sum:
      return [=](const Values& v) { return v[x].sum(dims, true); };
    case Reduction::max:
      return [=](const Values& v) { return v[x].amax(dims, true); };
    case Reduction::l2:
      return [=](const Values& v) { return at::linalg_vector_norm(v[x], 2, dims, true); };
    case Reduction::mean:
      break;
  }
  return [=](const Values& v) { return v[x].mean(dims, true); };
}

TorchStep step_of(const ChannelShuffle& op, TorchLayer& layer) {
  const TensorShape& shape = layer.output();
  Sizes split = {op.groups, shape.channels / op.groups};
  split.insert(split.end(), shape.extent.begin(), shape.extent.end());
  return [x = layer.from(), split = layer.sizes(split),
          joined = layer.sizes(shape.axes())](const Values& v) {
    return v[x].reshape(split).transpose(1, 2).contiguous().view(joined);
  };
}

TorchStep step_of(const ToSequence&, TorchLayer& layer) {
  return [x = layer.from()](const Values& v) { return at::flatten(v[x], 2).transpose(1, 2); };
}

TorchStep step_of(const FromSequence&, TorchLayer& layer) {
  return [x = layer.from(), sizes = layer.sizes(layer.output().axes())](const Values& v) {
    return v[x].transpose(1, 2).reshape(sizes);
  };
}

TorchStep step_of(const TokenMean&, TorchLayer& layer) {
  return [x = layer.from()](const Values& v) { return v[x].mean(1); };
}

TorchStep step_of(const TokenSelect& op, TorchLayer& layer) {
  return [x = layer.from(), index = op.index](const Values& v) { return v[x].select(1, index); };
}

TorchStep step_of(const Reshape&, TorchLayer& layer) {
  return [x = layer.from(), sizes = layer.sizes(layer.output().axes())](const Values& v) {
    return v[x].reshape(sizes);
  };
}

TorchStep step_of(const Permute& op, TorchLayer& layer) {
  Sizes dims = {0};
  for (const std::int64_t axis : op.order) dims.push_back(axis + 1);
  return [=, x = layer.from()](const Values& v) { return v[x].permute(dims); };
}

TorchStep step_of(const Expand&, TorchLayer& layer) {
  return [from = operand(layer, 0, layer.output()), sizes = layer.sizes(layer.output().axes())](
             const Values& v) { return from(v).expand(sizes); };
}

TorchStep step_of(const MatMul&, TorchLayer& layer) {
  const std::size_t rank = layer.output().axes().size();
  return [left = with_rank(layer, 0, rank), right = with_rank(layer, 1, rank)](const Values& v) {
    return at::matmul(left(v), right(v));
  };
}

}  // namespace ampere
