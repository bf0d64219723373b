#include <ATen/ATen.h>

#include "model/axes.h"
#include "train/torch_steps.h"

namespace ampere {
namespace {

using Values = TorchValues;

template <class Combine>
TorchStep folded(TorchLayer& layer, Combine combine) {
  std::vector<TorchStep> operands;
  for (std::size_t i = 0; i < layer.inputs().size(); ++i)
    operands.push_back(operand(layer, i, layer.output()));
  return [=](const Values& v) {
    at::Tensor result = operands[0](v);
    for (std::size_t i = 1; i < operands.size(); ++i) result = combine(result, operands[i](v));
    return result;
  };
}

// Calls a function of one tensor on the layer that is read.
template <class Call>
TorchStep applied(const TorchLayer& layer, Call call) {
  return [=, x = layer.from()](const Values& v) -> at::Tensor { return call(v[x]); };
}

at::Tensor affine(const at::Tensor& x, double factor, double offset) {
  if (factor == 1) return x + offset;
  const at::Tensor scaled = x * factor;
  return offset == 0 ? scaled : scaled + offset;
}

}  // namespace

TorchStep step_of(const Activation& op, TorchLayer& layer) {
  using T = const at::Tensor&;
  const std::vector<double>& p = op.parameters;
  switch (op.function) {
    case Function::relu:
      return applied(layer, [](T x) { return at::relu(x); });
    case Function::relu6:
      return applied(layer, [](T x) { return at::hardtanh(x, 0, 6); });
    case Function::gelu:
      return applied(layer, [](T x) { return at::gelu(x); });
    case Function::silu:
      return applied(layer, [](T x) { return at::silu(x); });
    case Function::hard_swish:
      return applied(layer, [](T x) { return at::hardswish(x); });
    case Function::hard_sigmoid:
      return applied(layer, [](T x) { return at::hardsigmoid(x); });
    case Function::sigmoid:
      return applied(layer, [](T x) { return at::sigmoid(x); });
    case Function::tanh:
      return applied(layer, [](T x) { return at::tanh(x); });
    case Function::gelu_tanh:
      return applied(layer, [](T x) { return at::gelu(x, "tanh"); });
    case Function::selu:
      return applied(layer, [](T x) { return at::selu(x); });
    case Function::softplus:
      return applied(layer, [](T x) { return at::softplus(x); });
    case Function::softsign:
      return applied(layer, [](T x) { return x / (x.abs() + 1); });
    case Function::mish:
      return applied(layer, [](T x) { return at::mish(x); });
    case Function::exp:
      return applied(layer, [](T x) { return at::exp(x); });
    case Function::log:
      return applied(layer, [](T x) { return at::log(x); });
    case Function::abs:
      return applied(layer, [](T x) { return at::abs(x); });
    case Function::erf:
      return applied(layer, [](T x) { return at::erf(x); });
    case Function::leaky_relu:
      return applied(layer, [slope = p[0]](T x) { return at::leaky_relu(x, slope); });
    case Function::elu:
      return applied(layer, [alpha = p[0]](T x) { return at::elu(x, alpha); });
    case Function::clip:
      return applied(layer, [low = p[0], high = p[1]](T x) { return at::hardtanh(x, low, high); });
    case Function::affine:
      return applied(layer,
                     [factor = p[0], offset = p[1]](T x) { return affine(x, factor, offset); });
    case Function::power:
      return applied(layer, [exponent = p[0]](T x) { return at::pow(x, exponent); });
  }
  layer.fail("is no activation that LibTorch has");
}

TorchStep step_of(const Dropout& op, TorchLayer& layer) {
  // As torchvision writes it: one draw per sample, scaled so that the mean stays.
  if (op.samples && layer.training())
    return applied(layer, [kept = 1 - op.probability](const at::Tensor& x) {
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
      sizes[0] = x.size(0);
      return x * at::empty(sizes, x.options()).bernoulli_(kept).div_(kept);
    });
  return applied(layer, [p = op.probability, training = layer.training()](const at::Tensor& x) {
    return at::dropout(x, p, training);
  });
}

TorchStep step_of(const Add&, TorchLayer& layer) {
  return folded(layer, [](const at::Tensor& a, const at::Tensor& b) { return a + b; });
}
TorchStep step_of(const Multiply&, TorchLayer& layer) {
  return folded(layer, [](const at::Tensor& a, const at::Tensor& b) { return a * b; });
}
TorchStep step_of(const Subtract&, TorchLayer& layer) {
  return folded(layer, [](const at::Tensor& a, const at::Tensor& b) { return a - b; });
}
TorchStep step_of(const Divide&, TorchLayer& layer) {
  return folded(layer, [](const at::Tensor& a, const at::Tensor& b) { return a / b; });
}

TorchStep step_of(const Pool& op, TorchLayer& layer) {
  const bool line = op.kernel.size() == 1;
  const std::vector<std::int64_t> dense(op.kernel.size(), 1);
  if (op.pooling == Pooling::max)
    return applied(layer, [=](const at::Tensor& x) {
      return line ? at::max_pool1d(x, op.kernel, op.stride, op.padding, dense, op.ceil)
                  : at::max_pool2d(x, op.kernel, op.stride, op.padding, dense, op.ceil);
    });
  return applied(layer, [=](const at::Tensor& x) {
    return line ? at::avg_pool1d(x, op.kernel, op.stride, op.padding, op.ceil, op.count_padding)
                : at::avg_pool2d(x, op.kernel, op.stride, op.padding, op.ceil, op.count_padding);
  });
}

TorchStep step_of(const AdaptivePool& op, TorchLayer& layer) {
  const bool line = op.extent.size() == 1;
  if (op.pooling == Pooling::max)
    return applied(layer, [=](const at::Tensor& x) {
      return std::get<0>(line ? at::adaptive_max_pool1d(x, op.extent)
                              : at::adaptive_max_pool2d(x, op.extent));
    });
  return applied(layer, [=](const at::Tensor& x) {
    return line ? at::adaptive_avg_pool1d(x, op.extent) : at::adaptive_avg_pool2d(x, op.extent);
  });
}

TorchStep step_of(const Upsample& op, TorchLayer& layer) {
  const bool line = op.extent.size() == 1;
  if (op.interpolation == Interpolation::nearest)
    return applied(layer, [=](const at::Tensor& x) {
      return line ? at::upsample_nearest1d(x, op.extent) : at::upsample_nearest2d(x, op.extent);
    });
  return applied(layer, [=](const at::Tensor& x) {
    return line ? at::upsample_linear1d(x, op.extent, op.align_corners)
                : at::upsample_bilinear2d(x, op.extent, op.align_corners);
  });
}

}  // namespace ampere
