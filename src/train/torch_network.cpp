#include "train/torch_network.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "ampere/error.h"

namespace ampere {
namespace {

using Step = TorchNetwork::Step;
using Values = TorchNetwork::Values;

std::int64_t channel_axis(const TensorShape& shape) {
  return shape.layout == Layout::sequence ? 2 : 1;
}

// A flat operand of a product, laid out so that it is broadcast over the positions of `shape`.
std::vector<std::int64_t> broadcast_sizes(const TensorShape& shape, std::int64_t batch) {
  if (shape.layout == Layout::sequence) return {batch, 1, shape.channels};
  std::vector<std::int64_t> sizes = {batch, shape.channels};
  sizes.resize(2 + shape.extent.size(), 1);
  return sizes;
}

// The call that computes one layer. Everything that can be decided before training is decided
// here, so that an iteration is a row of plain calls.
class StepMaker {
 public:
  StepMaker(const Model& model, int index, std::int64_t batch, at::Device device,
            std::vector<TorchParameter>& parameters)
      : model_(model),
        layer_(model.layers()[index]),
        index_(index),
        batch_(batch),
        device_(device),
        parameters_(parameters) {}

  Step operator()(const Input&) { return {}; }

  Step operator()(const Conv& op) {
    const std::int64_t in = input().channels;
    const std::int64_t out = layer_.output.channels;
    const std::int64_t groups = op.depthwise ? in : op.groups;
    std::vector<std::int64_t> sizes = {out, in / groups};
    sizes.insert(sizes.end(), op.kernel.begin(), op.kernel.end());
    const Affine w = affine(sizes, op.bias);
    const int x = from();
    if (op.kernel.size() == 1)
      return [=](const Values& v) {
        return at::conv1d(v[x], w.weight, w.bias, op.stride, op.padding, op.dilation, groups);
      };
    return [=](const Values& v) {
      return at::conv2d(v[x], w.weight, w.bias, op.stride, op.padding, op.dilation, groups);
    };
  }

  Step operator()(const Linear& op) {
    const Affine w = affine({op.out_features, input().channels}, op.bias);
    return [=, x = from()](const Values& v) { return at::linear(v[x], w.weight, w.bias); };
  }

  Step operator()(const Embedding& op) {
    const at::Tensor weight = parameter(empty({input().channels, op.dim}).normal_());
    return [=, x = from()](const Values& v) { return at::embedding(weight, v[x]); };
  }

  Step operator()(const Recurrent& op) {
    const bool lstm = op.cell == Cell::lstm;
    const std::int64_t hidden = op.hidden;
    const auto weights = recurrent_weights(lstm ? 4 : 3, hidden, lstm ? kCudnnLstm : kCudnnGru);
    const int x = from();
    if (lstm)
      return [=](const Values& v) {
        const at::Tensor start = at::zeros({1, v[x].size(0), hidden}, v[x].options());
        return std::get<0>(
            at::lstm(v[x], {start, start}, weights, true, 1, 0.0, true, false, true));
      };
    return [=](const Values& v) {
      const at::Tensor start = at::zeros({1, v[x].size(0), hidden}, v[x].options());
      return std::get<0>(at::gru(v[x], start, weights, true, 1, 0.0, true, false, true));
    };
  }

  // softmax(Q·Kᵀ/√d)·V for every head, between one projection to Q, K, V and one back.
  Step operator()(const SelfAttention& op) {
    const std::int64_t channels = input().channels;
    const Affine in = affine({3 * channels, channels}, true);
    const Affine out = affine({channels, channels}, true);
    const std::int64_t heads = op.heads;
    const std::int64_t width = channels / heads;
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    return [=, x = from()](const Values& v) {
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

  Step operator()(const BatchNorm&) {
    if (batch_ * layer_.output.positions() == 1)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: layer '{}' (batch_norm) would see a single value per channel: "
                              "use a batch of 2 or more",
                              model_.name(), layer_.name));
    const std::int64_t channels = layer_.output.channels;
    const Affine w = scale_and_shift(channels);
    const at::Tensor mean = empty({channels}).zero_();
    const at::Tensor variance = empty({channels}).fill_(1);
    const at::Tensor batches = at::zeros({}, at::device(device_).dtype(at::kLong));
    return [=, x = from()](const Values& v) {
      batches.add_(1);  // as the module of PyTorch does: on a GPU it is a launch of its own
      return at::batch_norm(v[x], w.weight, w.bias, mean, variance, true, 0.1, 1e-5, true);
    };
  }

  Step operator()(const LayerNorm&) {
    const std::int64_t channels = layer_.output.channels;
    const Affine w = scale_and_shift(channels);
    return [=, x = from()](const Values& v) {
      return at::layer_norm(v[x], {channels}, w.weight, w.bias, 1e-5);
    };
  }

  Step operator()(const ClassToken&) {
    const std::int64_t channels = layer_.output.channels;
    const at::Tensor token = parameter(empty({1, 1, channels}).normal_(0, 0.02));
    return [=, x = from()](const Values& v) {
      return at::cat({token.expand({v[x].size(0), 1, channels}), v[x]}, 1);
    };
  }

  Step operator()(const PositionEmbedding&) {
    const at::Tensor position =
        parameter(empty({1, layer_.output.extent[0], layer_.output.channels}).normal_(0, 0.02));
    return [=, x = from()](const Values& v) { return v[x] + position; };
  }

  Step operator()(const Activation& op) {
    const int x = from();
    switch (op.function) {
      case Function::relu:
        return [=](const Values& v) { return at::relu(v[x]); };
      case Function::relu6:
        return [=](const Values& v) { return at::hardtanh(v[x], 0, 6); };
      case Function::gelu:
        return [=](const Values& v) { return at::gelu(v[x]); };
      case Function::silu:
        return [=](const Values& v) { return at::silu(v[x]); };
      case Function::hard_swish:
        return [=](const Values& v) { return at::hardswish(v[x]); };
      case Function::hard_sigmoid:
        return [=](const Values& v) { return at::hardsigmoid(v[x]); };
      case Function::sigmoid:
        return [=](const Values& v) { return at::sigmoid(v[x]); };
      case Function::tanh:
        return [=](const Values& v) { return at::tanh(v[x]); };
    }
    throw Error(ErrorCode::usage, fmt::format("{}: layer '{}': LibTorch has no such activation",
                                              model_.name(), layer_.name));
  }

  Step operator()(const Pool& op) {
    const int x = from();
    const bool line = op.kernel.size() == 1;
    const std::vector<std::int64_t> dense(op.kernel.size(), 1);
    if (op.pooling == Pooling::max && line)
      return [=](const Values& v) {
        return at::max_pool1d(v[x], op.kernel, op.stride, op.padding, dense, op.ceil);
      };
    if (op.pooling == Pooling::max)
      return [=](const Values& v) {
        return at::max_pool2d(v[x], op.kernel, op.stride, op.padding, dense, op.ceil);
      };
    if (line)
      return [=](const Values& v) {
        return at::avg_pool1d(v[x], op.kernel, op.stride, op.padding, op.ceil);
      };
    return [=](const Values& v) {
      return at::avg_pool2d(v[x], op.kernel, op.stride, op.padding, op.ceil);
    };
  }

  Step operator()(const AdaptivePool& op) {
    const int x = from();
    if (op.extent.size() == 1)
      return [=](const Values& v) { return at::adaptive_avg_pool1d(v[x], op.extent); };
    return [=](const Values& v) { return at::adaptive_avg_pool2d(v[x], op.extent); };
  }

  Step operator()(const Flatten&) {
    return [x = from()](const Values& v) { return at::flatten(v[x], 1); };
  }

  Step operator()(const Dropout& op) {
    return [x = from(), p = op.probability](const Values& v) { return at::dropout(v[x], p, true); };
  }

  Step operator()(const Add&) {
    return [inputs = layer_.inputs](const Values& v) {
      at::Tensor sum = v[inputs[0]];
      for (std::size_t i = 1; i < inputs.size(); ++i) sum = sum + v[inputs[i]];
      return sum;
    };
  }

  Step operator()(const Multiply&) {
    std::vector<std::pair<int, std::vector<std::int64_t>>> factors;
    for (const int i : layer_.inputs) {
      const bool spread = model_.layers()[i].output.layout != layer_.output.layout;
      factors.emplace_back(
          i, spread ? broadcast_sizes(layer_.output, batch_) : std::vector<std::int64_t>{});
    }
    return [factors](const Values& v) {
      at::Tensor product;
      for (const auto& [i, sizes] : factors) {
        const at::Tensor factor = sizes.empty() ? v[i] : v[i].view(sizes);
        product = product.defined() ? product * factor : factor;
      }
      return product;
    };
  }

  Step operator()(const Concat&) {
    return [inputs = layer_.inputs, axis = channel_axis(layer_.output)](const Values& v) {
      std::vector<at::Tensor> parts;
      parts.reserve(inputs.size());
      for (const int i : inputs) parts.push_back(v[i]);
      return at::cat(parts, axis);
    };
  }

  Step operator()(const Chunk& op) {
    return [x = from(), op, axis = channel_axis(layer_.output)](const Values& v) {
      return at::chunk(v[x], op.parts, axis)[op.index];
    };
  }

  Step operator()(const ChannelShuffle& op) {
    const std::vector<std::int64_t> extent = layer_.output.extent;
    std::vector<std::int64_t> split = {batch_, op.groups, layer_.output.channels / op.groups};
    std::vector<std::int64_t> joined = {batch_, layer_.output.channels};
    split.insert(split.end(), extent.begin(), extent.end());
    joined.insert(joined.end(), extent.begin(), extent.end());
    return [=, x = from()](const Values& v) {
      return v[x].reshape(split).transpose(1, 2).contiguous().view(joined);
    };
  }

  Step operator()(const ToSequence&) {
    return [x = from()](const Values& v) { return at::flatten(v[x], 2).transpose(1, 2); };
  }

  Step operator()(const TokenMean&) {
    return [x = from()](const Values& v) { return v[x].mean(1); };
  }

  Step operator()(const TokenSelect& op) {
    return [x = from(), index = op.index](const Values& v) { return v[x].select(1, index); };
  }

 private:
  // cuDNN's numbers for the kinds of recurrent networks.
  static constexpr std::int64_t kCudnnLstm = 2, kCudnnGru = 3;

  struct Affine {
    at::Tensor weight;
    at::Tensor bias;  // undefined when there is none
  };

  int from() const { return layer_.inputs[0]; }
  const TensorShape& input() const { return model_.layers()[from()].output; }

  at::Tensor empty(at::IntArrayRef sizes) const { return at::empty(sizes, at::device(device_)); }

  at::Tensor parameter(at::Tensor value) {
    value.requires_grad_(true);
    parameters_.push_back({value, index_});
    return value;
  }

  at::Tensor uniform(at::IntArrayRef sizes, double bound) {
    return parameter(empty(sizes).uniform_(-bound, bound));
  }

  // Weights of a convolution or a linear layer, both uniform within ±1/√(fan in).
  Affine affine(const std::vector<std::int64_t>& sizes, bool with_bias) {
    double fan_in = 1;
    for (std::size_t i = 1; i < sizes.size(); ++i) fan_in *= static_cast<double>(sizes[i]);
    const double bound = 1 / std::sqrt(fan_in);
    Affine result{uniform(sizes, bound), {}};
    if (with_bias) result.bias = uniform({sizes[0]}, bound);
    return result;
  }

  Affine scale_and_shift(std::int64_t channels) {
    return {parameter(empty({channels}).fill_(1)), parameter(empty({channels}).zero_())};
  }

  std::vector<at::Tensor> recurrent_weights(std::int64_t gates, std::int64_t hidden,
                                            std::int64_t mode) {
    const double bound = 1 / std::sqrt(static_cast<double>(hidden));
    const std::int64_t in = input().channels;
    const std::vector<at::Tensor> weights = {
        uniform({gates * hidden, in}, bound), uniform({gates * hidden, hidden}, bound),
        uniform({gates * hidden}, bound), uniform({gates * hidden}, bound)};
    // cuDNN wants its weights in one piece; otherwise it copies them in every iteration.
    if (device_.is_cuda() && at::cudnn_is_acceptable(weights[0])) {
      c10::NoGradGuard no_grad;
      at::_cudnn_rnn_flatten_weight(weights, 4, in, mode, hidden, 0, 1, true, false);
    }
    return weights;
  }

  const Model& model_;
  const Layer& layer_;
  int index_;
  std::int64_t batch_;
  at::Device device_;
  std::vector<TorchParameter>& parameters_;
};

}  // namespace

TorchNetwork::TorchNetwork(const Model& model, std::int64_t batch, at::Device device) {
  for (int i = 0; i < static_cast<int>(model.layers().size()); ++i)
    steps_.push_back(
        std::visit(StepMaker(model, i, batch, device, parameters_), model.layers()[i].op));
}

at::Tensor TorchNetwork::forward(const std::vector<at::Tensor>& inputs) const {
  Values values(steps_.size());
  std::size_t next_input = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    values[i] = steps_[i] ? steps_[i](values) : inputs[next_input++];
  return values.back();
}

}  // namespace ampere
