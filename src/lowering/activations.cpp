#include <cmath>
#include <numbers>

#include "ampere/error.h"
#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/views.h"
#include "model/functions.h"

namespace ampere::lowering {
namespace {

constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

// What the backward pass of a function reads.
enum class Reads { input, result };

// A function whose backward pass is one operation of its own.
struct OneCall {
  const char* name;
  Arguments options = {};
  const char* backward;
  Arguments backward_options = {};
  Reads reads = Reads::input;
  Keywords keywords = {};
  bool result_decides = false;  // on the order in memory of the gradient; else the gradient does
};

Tensor one_call(Eager& eager, const Tensor& x, const OneCall& call) {
  Arguments arguments{x};
  arguments.insert(arguments.end(), call.options.begin(), call.options.end());
  const Tensor result = eager.run(call.name, std::move(arguments), same_type(x), call.keywords);
  const bool reads_result = call.reads == Reads::result;
  if (reads_result && eager.keeps_graph && x.needs_gradient())
    eager.view("detach", result, {result}, result.type);
  const Tensor kept = reads_result ? result : detached(x);
  return eager.connected(result, {x}, [&eager, call, kept, reads_result](const Tensors& gradients) {
    if (reads_result) eager.view("detach", kept, {kept}, kept.type);
    Arguments back{gradients[0], kept};
    back.insert(back.end(), call.backward_options.begin(), call.backward_options.end());
    std::vector<TensorType> operands{gradients[0].type, kept.type};
    if (call.result_decides) std::swap(operands[0], operands[1]);
    return Tensors{eager.run(call.backward, std::move(back), elementwise(operands), call.keywords)};
  });
}

// ELU's backward pass has its numbers before the input.
Tensor elu(Eager& eager, const Tensor& x, Arguments options, Arguments backward_options) {
  Arguments arguments{x};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return eager.connected(
      eager.run("elu", std::move(arguments), same_type(x)), {x},
      [&eager, x = detached(x), backward_options](const Tensors& gradients) -> Tensors {
        Arguments back{gradients[0]};
        back.insert(back.end(), backward_options.begin(), backward_options.end());
        back.emplace_back(false);
        back.emplace_back(x);
        return {eager.run("elu_backward", std::move(back),
                          elementwise(std::vector{gradients[0].type, x.type}))};
      });
}

Tensor times(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.run("mul.Tensor", {a, b}, elementwise(std::vector{a.type, b.type}));
}

Tensor exp(Eager& eager, const Tensor& low) {
  const Tensor x = in_full_format(eager, low);
  const Tensor result = eager.run("exp", {x}, same_type(x));
  if (eager.keeps_graph && x.needs_gradient()) eager.view("detach", result, {result}, result.type);
  return eager.connected(result, {x}, [&eager, result](const Tensors& gradients) -> Tensors {
    eager.view("detach", result, {result}, result.type);
    return {times(eager, gradients[0], result)};
  });
}

Tensor log(Eager& eager, const Tensor& low) {
  const Tensor x = in_full_format(eager, low);
  return eager.connected(eager.run("log", {x}, same_type(x)), {x},
                         [&eager, x = detached(x)](const Tensors& gradients) -> Tensors {
                           return {eager.run("div.Tensor", {gradients[0], x},
                                             elementwise(std::vector{gradients[0].type, x.type}))};
                         });
}

Tensor abs(Eager& eager, const Tensor& x) {
  return eager.connected(eager.run("abs", {x}, same_type(x)), {x},
                         [&eager, x = detached(x)](const Tensors& gradients) -> Tensors {
                           return {times(eager, gradients[0], eager.run("sgn", {x}, same_type(x)))};
                         });
}

// 2/√π · exp(-x²)
Tensor erf(Eager& eager, const Tensor& x) {
  return eager.connected(
      eager.run("erf", {x}, same_type(x)), {x},
      [&eager, x = detached(x)](const Tensors& gradients) -> Tensors {
        const Tensor square = eager.run("pow.Tensor_Scalar", {x, 2}, same_type(x));
        const Tensor negative = eager.run("neg", {square}, same_type(square));
        const Tensor bell = eager.run("exp", {negative}, same_type(negative));
        const double factor = 2 / std::sqrt(std::numbers::pi);
        const Tensor slope = eager.run("mul.Scalar", {bell, factor}, same_type(bell));
        return {times(eager, slope, gradients[0])};
      });
}

Tensor softsign(Eager& eager, const Tensor& x) {
  return divide(eager, x, add_number(eager, abs(eager, x), 1));
}

Tensor affine(Eager& eager, const Tensor& x, double factor, double offset) {
  if (factor == 1) return add_number(eager, x, offset);
  const Tensor scaled = multiply_number(eager, x, factor);
  return offset == 0 ? scaled : add_number(eager, scaled, offset);
}

Tensor hardtanh(Eager& eager, const Tensor& x, double low, double high) {
  return one_call(eager, x,
                  {.name = "hardtanh",
                   .options = {low, high},
                   .backward = "hardtanh_backward",
                   .backward_options = {low, high}});
}

}  // namespace

Tensor tanh(Eager& eager, const Tensor& x) {
  return one_call(eager, x, {.name = "tanh", .backward = "tanh_backward", .reads = Reads::result});
}

Tensor sigmoid(Eager& eager, const Tensor& x) {
  return one_call(eager, x,
                  {.name = "sigmoid", .backward = "sigmoid_backward", .reads = Reads::result});
}

// exponent · x^(exponent - 1)
Tensor power(Eager& eager, const Tensor& low, Argument exponent) {
  const Tensor x = in_full_format(eager, low);
  const auto* whole = std::get_if<std::int64_t>(&exponent.is);
  const double number = whole ? static_cast<double>(*whole) : std::get<double>(exponent.is);
  return eager.connected(
      eager.run("pow.Tensor_Scalar", {x, exponent}, same_type(x)), {x},
      [&eager, x = detached(x), number](const Tensors& gradients) -> Tensors {
        const Tensor lowered = eager.run("pow.Tensor_Scalar", {x, number - 1}, same_type(x));
        const Tensor slope = eager.run("mul.Scalar", {lowered, number}, same_type(lowered));
        return {times(eager, gradients[0], slope)};
      });
}

Tensor activation(Eager& eager, const Tensor& x, const Activation& op) {
  std::vector<double> numbers = op.parameters;
  if (numbers.empty())
    for (const FunctionInfo::Parameter& each : info(op.function).parameters)
      numbers.push_back(each.otherwise);
  switch (op.function) {
    case Function::relu:
      return one_call(eager, x,
                      {.name = "relu",
                       .backward = "threshold_backward",
                       .backward_options = {0},
                       .reads = Reads::result,
                       .result_decides = true});
    case Function::relu6:
      return hardtanh(eager, x, 0, 6);
    case Function::gelu:
      return one_call(eager, x, {.name = "gelu", .backward = "gelu_backward"});
    case Function::gelu_tanh:
      return one_call(
          eager, x,
          {.name = "gelu", .backward = "gelu_backward", .keywords = {{"approximate", "tanh"}}});
    case Function::silu:
      return one_call(eager, x, {.name = "silu", .backward = "silu_backward"});
    case Function::hard_swish:
      return one_call(eager, x, {.name = "hardswish", .backward = "hardswish_backward"});
    case Function::hard_sigmoid:
      return one_call(eager, x, {.name = "hardsigmoid", .backward = "hardsigmoid_backward"});
    case Function::sigmoid:
      return sigmoid(eager, x);
    case Function::tanh:
      return tanh(eager, x);
    case Function::mish:
      return one_call(eager, x, {.name = "mish", .backward = "mish_backward"});
    case Function::selu:
      return elu(eager, x, {kSeluAlpha, kSeluScale}, {kSeluAlpha, kSeluScale, 1});
    case Function::elu:
      return elu(eager, x, {numbers[0]}, {numbers[0], 1, 1});
    case Function::softplus:
      return one_call(
          eager, in_full_format(eager, x),
          {.name = "softplus", .backward = "softplus_backward", .backward_options = {1, 20}});
    case Function::leaky_relu: {
      const double slope = numbers[0];
      return one_call(eager, x,
                      {.name = "leaky_relu",
                       .options = slope == 0.01 ? Arguments{} : Arguments{slope},
                       .backward = "leaky_relu_backward",
                       .backward_options = {slope, false}});
    }
    case Function::softsign:
      return softsign(eager, x);
    case Function::exp:
      return exp(eager, x);
    case Function::log:
      return log(eager, x);
    case Function::abs:
      return abs(eager, x);
    case Function::erf:
      return erf(eager, x);
    case Function::clip:
      return hardtanh(eager, x, numbers[0], numbers[1]);
    case Function::affine:
      return affine(eager, x, numbers[0], numbers[1]);
    case Function::power:
      return power(eager, x, numbers[0]);
  }
  throw Error(ErrorCode::usage, "this function cannot be lowered");
}

// Newer versions spread the slopes first, so that each is next to its number.
Tensor prelu(Eager& eager, const Tensor& input, const Tensor& full_slope) {
  const Tensors low = in_low_format(eager, {input, full_slope});
  const Tensor x = low[0];
  Tensor slope = low[1];
  if (eager.dialect.spreads_slopes) {
    Sizes sizes(x.sizes().size(), 1);
    if (sizes.size() > 1) sizes[1] = slope.size(0);
    if (slope.rank() != x.rank()) slope = reshape(eager, slope, sizes);
    return eager.connected(
        eager.run("_prelu_kernel", {x, slope}, elementwise(std::vector{x.type, slope.type})),
        {x, slope},
        [&eager, x = detached(x), slope = detached(slope)](const Tensors& gradients) -> Tensors {
          const TensorType type = elementwise(std::vector{x.type, slope.type, gradients[0].type});
          return eager.run("_prelu_kernel_backward", {gradients[0], x, slope},
                           std::vector{type, type});
        });
  }
  return eager.connected(
      eager.run("prelu", {x, slope}, dense_like(x.type, x.sizes())), {x, slope},
      [&eager, x = detached(x), slope = detached(slope)](const Tensors& gradients) -> Tensors {
        return eager.run("prelu_backward", {gradients[0], x, slope},
                         std::vector{dense_like(x.type, x.sizes()), slope.type});
      });
}

}  // namespace ampere::lowering
