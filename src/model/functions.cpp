#include "model/functions.h"

#include <limits>

namespace ampere {
namespace {

constexpr double kWidest = std::numeric_limits<float>::max();

}  // namespace

const std::vector<FunctionInfo>& functions() {
  static const std::vector<FunctionInfo> kFunctions{
      {Function::relu, "relu"},
      {Function::relu6, "relu6"},
      {Function::gelu, "gelu"},
      {Function::silu, "silu"},
      {Function::hard_swish, "hard_swish"},
      {Function::hard_sigmoid, "hard_sigmoid"},
      {Function::sigmoid, "sigmoid"},
      {Function::tanh, "tanh"},
      {Function::gelu_tanh, "gelu_tanh"},
      {Function::selu, "selu"},
      {Function::softplus, "softplus"},
      {Function::softsign, "softsign"},
      {Function::mish, "mish"},
      {Function::exp, "exp"},
      {Function::log, "log"},
      {Function::abs, "abs"},
      {Function::erf, "erf"},
      {Function::leaky_relu, "leaky_relu", {{"slope", 0.01}}},
      {Function::elu, "elu", {{"alpha", 1}}},
      {Function::clip, "clip", {{"low", -kWidest}, {"high", kWidest}}},
      {Function::affine, "affine", {{"factor", 1}, {"offset", 0}}},
      {Function::power, "power", {{"exponent", 2}}},
  };
  return kFunctions;
}

const FunctionInfo& info(Function function) {
  return functions().at(static_cast<std::size_t>(function));
}

}  // namespace ampere
