#include "train/operation/recipes.h"

#include <ATen/ATen.h>

#include <array>
#include <optional>

#include "ampere/error.h"
#include "train/operation/argument.h"
#include "train/operation/boxed_call.h"
#include "train/operation/gradient.h"
#include "train/operation/recurrent.h"

namespace ampere {
namespace {

constexpr double kNormMomentum = 0.1, kSmallNumber = 1e-5;  // as PyTorch's defaults

struct NormCall {
  at::Tensor x, weight, bias, mean, variance;
  bool training = false;
  double epsilon = kSmallNumber;

  at::Tensor operator()() const {
    return at::batch_norm(x, weight, bias, mean, variance, training, kNormMomentum, epsilon, true);
  }
};

OperationCall batch_norm(const Operation& operation, const OperationTensors& tensors) {
  const auto made = [&](std::size_t index) {
    return tensors.make_if_there(argument(operation, index));
  };
  return [norm = NormCall{made(0), made(1), made(2), made(3), made(4), flag(operation, 5),
                          real(operation, 7).value_or(kSmallNumber)}] { norm(); };
}

OperationCall batch_norm_backward(const Operation& operation, const OperationTensors& tensors) {
  const auto made = [&](std::size_t index) {
    return tensors.make_if_there(argument(operation, index));
  };
  NormCall norm{made(1),
                made(2),
                {},
                made(3),
                made(4),
                flag(operation, 7),
                real(operation, 8).value_or(kSmallNumber)};
  if (norm.weight.defined()) norm.bias = at::zeros_like(norm.weight);
  std::vector<at::Tensor> asked;
  const OperationView view(operation, {});
  std::size_t place = 0;
  for (const at::Tensor& leaf : {norm.x, norm.weight, norm.bias})
    if (view.listed_flag(9, place++) && leaf.defined()) asked.push_back(leaf);
  return repeated_backward(operation, asked, made(0), norm);
}

struct AttentionCall {
  at::Tensor query, key, value, mask;
  double dropout = 0;
  bool causal = false;
  std::optional<double> scale;

  // Through the dispatcher, since not every LibTorch has it and its arguments became more.
  BoxedCall call() const {
    BoxedCall call("scaled_dot_product_attention");
    call.set("query", query);
    call.set("key", key);
    call.set("value", value);
    if (mask.defined()) call.set("attn_mask", mask);
    call.set("dropout_p", dropout);
    call.set("is_causal", causal);
    if (scale) call.set("scale", *scale);
    if (query.size(-3) != key.size(-3)) call.set("enable_gqa", true);
    return call;
  }
};

AttentionCall read_attention(const Operation& operation, const OperationTensors& tensors,
                             std::size_t first, std::size_t options) {
  const auto made = [&](std::size_t index) {
    return tensors.make_if_there(argument(operation, index));
  };
  AttentionCall attention;
  attention.query = made(first);
  attention.key = made(first + 1);
  attention.value = made(first + 2);
  attention.mask = made(first + 3);
  attention.dropout = real(operation, options).value_or(0);
  attention.causal = flag(operation, options + 1);
  attention.scale = real(operation, options + 2);
  return attention;
}

// In training, the sums are kept for the backward pass, and another implementation may be used.
OperationCall attention(const Operation& operation, const OperationTensors& tensors) {
  const AttentionCall made = read_attention(operation, tensors, 0, 4);
  if (has_result(operation, 1, tensors))
    for (const at::Tensor& each : {made.query, made.key, made.value}) each.requires_grad_();
  return [call = made.call()] { call(); };
}

OperationCall attention_backward(const Operation& operation, const OperationTensors& tensors) {
  const AttentionCall made = read_attention(operation, tensors, 1, 7);
  return repeated_backward(operation, {made.query, made.key, made.value},
                           tensors.make_if_there(argument(operation, 0)),
                           [&] { return made.call()().at(0).toTensor(); });
}

// The positions of the maxima, which only a forward pass knows, are the last argument.
OperationCall max_pool_backward(const Operation& operation, const OperationTensors& tensors,
                                const Operation& forward) {
  const at::Tensor x = tensors.make_if_there(argument(operation, 1));
  BoxedCall pool(forward.name);
  pool.set_all(forward, tensors.device(), [&](const Value&, const std::string&) { return x; });
  const at::Tensor places = pool().at(1).toTensor();
  BoxedCall call(operation.name);
  call.set_all(operation, tensors.device(), [&](const Value& value, const std::string& name) {
    return name == "indices" ? places : name == "self" ? x : tensors.make(value);
  });
  return [call] { call(); };
}

std::string without_backward(const std::string& name) {
  return name.substr(0, name.size() - std::string_view("_backward").size());
}

// Both passes have the same window, between the input and the positions.
OperationCall window_pool_backward(const Operation& operation, const OperationTensors& tensors) {
  Operation forward;
  forward.name = without_backward(operation.name);
  forward.arguments = operation.arguments;
  if (forward.arguments.size() < 3)
    throw Error(ErrorCode::failed, operation.name + ": it has no window");
  forward.arguments.pop_back();
  forward.arguments.erase(forward.arguments.begin());
  return max_pool_backward(operation, tensors, forward);
}

// The size of the output is that of its gradient.
OperationCall adaptive_pool_backward(const Operation& operation, const OperationTensors& tensors) {
  Operation forward;
  forward.name = without_backward(operation.name);
  const std::size_t axes = forward.name.ends_with("3d") ? 3 : 2;
  const auto& sizes = OperationView(operation, tensors.types()).tensor(0, axes).sizes;
  ValueList extent;
  for (std::size_t i = sizes.size() - axes; i < sizes.size(); ++i) extent.push_back({sizes[i]});
  forward.arguments = {argument(operation, 1), {extent}};
  return max_pool_backward(operation, tensors, forward);
}

constexpr std::array<std::pair<std::string_view, OperationRecipe>, 10> kRecipes{{
    {"batch_norm", batch_norm},
    {"batch_norm_backward", batch_norm_backward},
    {"attention", attention},
    {"attention_backward", attention_backward},
    {"recurrent", recurrent},
    {"recurrent_backward", recurrent_backward},
    {"max_pool2d_with_indices_backward", window_pool_backward},
    {"max_pool3d_with_indices_backward", window_pool_backward},
    {"adaptive_max_pool2d_backward", adaptive_pool_backward},
    {"adaptive_max_pool3d_backward", adaptive_pool_backward},
}};

}  // namespace

OperationRecipe find_recipe(std::string_view name) {
  for (const auto& [known, recipe] : kRecipes)
    if (known == name) return recipe;
  return nullptr;
}

}  // namespace ampere
