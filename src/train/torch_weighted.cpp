#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>

#include "model/axes.h"
#include "train/recurrent_weights.h"
#include "train/torch_steps.h"

namespace ampere {
namespace {

using Values = TorchValues;

constexpr double kBatchNormMomentum = 0.1, kSmallDeviation = 0.02;

// A weight of one number per channel, laid out to be broadcast over positions.
std::vector<std::int64_t> channel_sizes(const TensorShape& shape) {
  std::vector<std::int64_t> sizes(shape.axes().size(), 1);
  sizes[channel_axis(shape)] = -1;
  return sizes;
}

std::vector<at::Tensor> recurrent_weights(const Recurrent& op, TorchLayer& layer) {
  const double bound = 1 / std::sqrt(static_cast<double>(op.hidden));
  std::vector<at::Tensor> weights;
  for (const char* direction : {"_l0", "_l0_reverse"})
    for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"})
      if (const at::Tensor weight = layer.uniform(std::string(name) + direction, bound);
          weight.defined())
        weights.push_back(weight);
  if (!layer.shares())
    lay_out_for_cudnn(weights, {op.cell == Cell::lstm ? RecurrentMode::lstm : RecurrentMode::gru,
                                layer.input().channels, op.hidden, 1, op.bias, op.bidirectional});
  return weights;
}

}  // namespace

TorchStep step_of(const Conv& op, TorchLayer& layer) {
  const std::int64_t groups = op.depthwise ? layer.input().channels : op.groups;
  const TorchLayer::Affine w = layer.affine();
  const int x = layer.from();
  if (op.kernel.size() == 1)
    return [=](const Values& v) {
      return at::conv1d(v[x], w.weight, w.bias, op.stride, op.padding, op.dilation, groups);
    };
  return [=](const Values& v) {
    return at::conv2d(v[x], w.weight, w.bias, op.stride, op.padding, op.dilation, groups);
  };
}

TorchStep step_of(const ConvTranspose& op, TorchLayer& layer) {
  const TorchLayer::Affine w = layer.affine();
  const int x = layer.from();
  if (op.kernel.size() == 1)
    return [=](const Values& v) {
      return at::conv_transpose1d(v[x], w.weight, w.bias, op.stride, op.padding, op.output_padding,
                                  op.groups, op.dilation);
    };
  return [=](const Values& v) {
    return at::conv_transpose2d(v[x], w.weight, w.bias, op.stride, op.padding, op.output_padding,
                                op.groups, op.dilation);
  };
}

TorchStep step_of(const Linear&, TorchLayer& layer) {
  const TorchLayer::Affine w = layer.affine();
  return [=, x = layer.from()](const Values& v) { return at::linear(v[x], w.weight, w.bias); };
}

TorchStep step_of(const Embedding&, TorchLayer& layer) {
  const at::Tensor weight = layer.normal("weight", 1);
  return [=, x = layer.from()](const Values& v) { return at::embedding(weight, v[x]); };
}

TorchStep step_of(const Recurrent& op, TorchLayer& layer) {
  const auto weights = recurrent_weights(op, layer);
  const auto start = [op](const at::Tensor& x) {
    return at::zeros({op.bidirectional ? 2 : 1, x.size(0), op.hidden}, x.options());
  };
  const int x = layer.from();
  if (op.cell == Cell::lstm)
    return [=](const Values& v) {
      const at::Tensor zeros = start(v[x]);
      return std::get<0>(
          at::lstm(v[x], {zeros, zeros}, weights, op.bias, 1, 0.0, true, op.bidirectional, true));
    };
  return [=](const Values& v) {
    return std::get<0>(
        at::gru(v[x], start(v[x]), weights, op.bias, 1, 0.0, true, op.bidirectional, true));
  };
}

// softmax(Q·Kᵀ/√d)·V for every head, between one projection to Q, K, V and one back.
TorchStep step_of(const SelfAttention& op, TorchLayer& layer) {
  const std::int64_t channels = layer.input().channels;
  const TorchLayer::Affine in = layer.affine("in_proj_weight", "in_proj_bias");
  const TorchLayer::Affine out = layer.affine("out_proj.weight", "out_proj.bias");
  const std::int64_t heads = op.heads;
  const std::int64_t width = channels / heads;
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  return [=, x = layer.from()](const Values& v) {
    const std::int64_t batch = v[x].size(0), length = v[x].size(1);
    const std::vector<at::Tensor> qkv = at::linear(v[x], in.weight, in.bias)
                                            .view({batch, length, 3, heads, width})
                                            .permute({2, 0, 3, 1, 4})
                                            .reshape({3, batch * heads, length, width})
                                            .unbind(0);
    const at::Tensor scores = at::bmm(qkv[0] * scale, qkv[1].transpose(1, 2));
    const at::Tensor mixed = at::bmm(at::softmax(scores, -1), qkv[2]);
    const at::Tensor joined = mixed.view({batch, heads, length, width})
                                  .transpose(1, 2)
                                  .reshape({batch, length, channels});
    return at::linear(joined, out.weight, out.bias);
  };
}

TorchStep step_of(const BatchNorm& op, TorchLayer& layer) {
  const bool training = layer.training();
  if (training && layer.batch() * layer.output().positions() == 1)
    layer.fail("would see a single value per channel: use a batch of 2 or more");
  const TorchLayer::Affine w = layer.scale_and_shift();
  const at::Tensor mean = layer.filled("running_mean", 0);
  const at::Tensor variance = layer.filled("running_var", 1);
  const at::Tensor batches = at::zeros({}, at::device(layer.device()).dtype(at::kLong));
  return [=, x = layer.from(), epsilon = op.epsilon](const Values& v) {
    if (training)
      batches.add_(1);  // as the module of PyTorch does: on a GPU it is a launch of its own
    return at::batch_norm(v[x], w.weight, w.bias, mean, variance, training, kBatchNormMomentum,
                          epsilon, true);
  };
}

// Channels that do not come last are brought there and back.
TorchStep step_of(const LayerNorm& op, TorchLayer& layer) {
  const std::int64_t channels = features(layer.output());
  const TorchLayer::Affine w = layer.scale_and_shift();
  const std::int64_t dim = layer.channel_dim();
  const bool last = dim == static_cast<std::int64_t>(layer.output().axes().size());
  return [=, x = layer.from(), epsilon = op.epsilon](const Values& v) {
    if (last) return at::layer_norm(v[x], {channels}, w.weight, w.bias, epsilon);
    return at::layer_norm(v[x].movedim(dim, -1), {channels}, w.weight, w.bias, epsilon)
        .movedim(-1, dim);
  };
}

TorchStep step_of(const GroupNorm& op, TorchLayer& layer) {
  const TorchLayer::Affine w = layer.scale_and_shift();
  return [=, x = layer.from()](const Values& v) {
    return at::group_norm(v[x], op.groups, w.weight, w.bias, op.epsilon);
  };
}

TorchStep step_of(const InstanceNorm& op, TorchLayer& layer) {
  const TorchLayer::Affine w = layer.scale_and_shift();
  return [=, x = layer.from()](const Values& v) {
    return at::instance_norm(v[x], w.weight, w.bias, {}, {}, true, kBatchNormMomentum, op.epsilon,
                             true);
  };
}

TorchStep step_of(const Scale&, TorchLayer& layer) {
  const TorchLayer::Affine w = layer.scale_and_shift();
  const std::vector<std::int64_t> sizes = channel_sizes(layer.output());
  return [=, x = layer.from()](const Values& v) {
    const at::Tensor scaled = v[x] * w.weight.view(sizes);
    return w.bias.defined() ? scaled + w.bias.view(sizes) : scaled;
  };
}

// PyTorch takes the second axis for the channels.
TorchStep step_of(const PRelu& op, TorchLayer& layer) {
  const at::Tensor slope = layer.filled("weight", 0.25);
  const std::int64_t dim = layer.channel_dim();
  return [=, x = layer.from(), moved = !op.shared && dim != 1](const Values& v) {
    return moved ? at::prelu(v[x].movedim(dim, 1), slope).movedim(1, dim) : at::prelu(v[x], slope);
  };
}

TorchStep step_of(const ClassToken&, TorchLayer& layer) {
  const std::int64_t channels = layer.output().channels;
  const at::Tensor token = layer.normal("token", kSmallDeviation);
  return [=, x = layer.from()](const Values& v) {
    return at::cat({token.expand({v[x].size(0), 1, channels}), v[x]}, 1);
  };
}

TorchStep step_of(const PositionEmbedding& op, TorchLayer& layer) {
  const at::Tensor position = layer.normal("position", kSmallDeviation);
  const std::int64_t length = layer.output().extent[0];
  if (op.rows == 0) return [=, x = layer.from()](const Values& v) { return v[x] + position; };
  return [=, x = layer.from()](const Values& v) { return v[x] + position.slice(0, 0, length); };
}

// Weights are real numbers, also where they are indices. These count up until a file says better.
TorchStep step_of(const Parameter& op, TorchLayer& layer) {
  const at::Tensor value = layer.normal("value", kSmallDeviation);
  if (op.rows > 0) {
    const at::Tensor index = layer.counted("index", op.rows);
    return [=, sizes = layer.sizes(layer.output().axes())](const Values&) {
      return at::embedding(value, index.to(at::kLong)).expand(sizes);
    };
  }
  return [=, sizes = layer.sizes(layer.output().axes())](const Values&) {
    return value.expand(sizes);
  };
}

TorchStep step_of(const Gather& op, TorchLayer& layer) {
  const std::size_t axis =
      op.axis ? static_cast<std::size_t>(*op.axis) : channel_axis(layer.output());
  const at::Tensor index = layer.counted("index", layer.input().axes()[axis]);
  return [=, x = layer.from(), before = TorchLayer::dim(axis)](const Values& v) {
    c10::List<c10::optional<at::Tensor>> indices;
    for (std::int64_t i = 0; i < before; ++i) indices.push_back({});
    indices.push_back(index.to(at::kLong));
    return at::index(v[x], indices);
  };
}

}  // namespace ampere
