#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "program/counts.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

double last_axis(const TensorType& type) { return static_cast<double>(type.sizes.back()); }

// A product whose left factor is argument `left`: each element of the left factor meets one row of
// the right one.
double product_flops(const OperationView& operation, std::size_t left, std::size_t axes) {
  const TensorType& a = operation.tensor(left, axes);
  const TensorType& b = operation.tensor(left + 1, axes);
  if (a.sizes.back() != b.sizes[b.sizes.size() - 2])
    operation.fail("the sizes of the two factors do not fit");
  return 2 * elements_of(a) * last_axis(b);
}

double with_vector(const OperationView& operation, std::size_t matrix) {
  return 2 * elements_of(operation.tensor(matrix, 1));
}

// Each element of the result is a sum over the last axis of the left factor.
double summed_over_last_axis(const OperationView& operation, std::size_t left) {
  return 2 * elements_of(operation.result(0)) * last_axis(operation.tensor(left, 1));
}

// Every element of the side without the stride (the output, or the input of a transposed
// convolution) meets the weights of one channel.
double convolution_of(const TensorType& side, const TensorType& weight) {
  if (weight.sizes[0] == 0) return 0;
  return 2 * elements_of(side) * elements_of(weight) / static_cast<double>(weight.sizes[0]);
}

double convolution_flops(const OperationView& operation, bool transposed) {
  const TensorType& weight = operation.tensor(1, 2);
  return convolution_of(transposed ? operation.tensor(0, 2) : operation.result(0, 2), weight);
}

// One such product for the gradient of the input and one for that of the weight.
double convolution_backward(const OperationView& operation) {
  const bool transposed = operation.flag(7, false);
  const double each =
      convolution_of(operation.tensor(transposed ? 1 : 0, 2), operation.tensor(2, 2));
  return each * (operation.listed_flag(10, 0) + operation.listed_flag(10, 1));
}

// How many keys all queries of one head look at. With a causal mask, query i looks at the first
// i + 1 keys.
double pairs_of(double queries, double keys, bool causal) {
  if (!causal) return queries * keys;
  const double growing = std::min(queries, keys);
  return growing * (growing + 1) / 2 + (queries - growing) * keys;
}

struct Attention {
  double pairs = 0;  // of all heads and samples
  double depth = 0, value_depth = 0;
};

Attention attention_of(const OperationView& operation, std::size_t query, std::size_t causal) {
  const TensorType& q = operation.tensor(query, 2);
  const TensorType& k = operation.tensor(query + 1, 2);
  const TensorType& v = operation.tensor(query + 2, 2);
  const auto length = [](const TensorType& type) {
    return static_cast<double>(type.sizes[type.sizes.size() - 2]);
  };
  double heads = 1;
  for (std::size_t axis = 0; axis + 2 < q.sizes.size(); ++axis)
    heads *= static_cast<double>(q.sizes[axis]);
  return {heads * pairs_of(length(q), length(k), operation.flag(causal, false)), last_axis(q),
          last_axis(v)};
}

double attention_flops(const OperationView& operation) {
  const Attention is = attention_of(operation, 0, 5);
  return 2 * is.pairs * (is.depth + is.value_depth);
}

// The scores once more, and the gradients of scores, query, key and value.
double attention_backward(const OperationView& operation) {
  const Attention is = attention_of(operation, 1, 8);
  return 2 * is.pairs * (3 * is.depth + 2 * is.value_depth);
}

double gates_of(const OperationView& operation, std::size_t mode) {
  const std::string word = operation.text(mode);
  if (word == "lstm") return 4;
  if (word == "gru") return 3;
  if (word == "tanh" || word == "relu") return 1;
  operation.fail(fmt::format("'{}' is none of lstm, gru, tanh, relu", word));
}

// By the sizes and not by the weights, which may be flat.
double recurrent_flops(const OperationView& operation, std::size_t input) {
  const TensorType& x = operation.tensor(input, 2);
  const double gates = gates_of(operation, input + 4);
  const auto hidden = static_cast<double>(operation.number(input + 5, 0));
  const std::int64_t layers = operation.number(input + 6, 1);
  const double directions = operation.flag(input + 10, false) ? 2 : 1;
  if (hidden < 1 || layers < 1) operation.fail("the hidden size and the layers must be at least 1");
  if (last_axis(x) == 0) return 0;
  const double tokens = elements_of(x) / last_axis(x);
  const double inputs =
      last_axis(x) + static_cast<double>(layers - 1) * hidden * directions;  // of all layers
  return 2 * tokens * directions * gates * hidden * (inputs + static_cast<double>(layers) * hidden);
}

using Rule = double (*)(const OperationView&);

const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> rules{
      {"mm", [](const OperationView& it) { return product_flops(it, 0, 2); }},
      {"_int_mm", [](const OperationView& it) { return product_flops(it, 0, 2); }},
      {"_scaled_mm", [](const OperationView& it) { return product_flops(it, 0, 2); }},
      {"addmm", [](const OperationView& it) { return product_flops(it, 1, 2); }},
      {"_addmm_activation", [](const OperationView& it) { return product_flops(it, 1, 2); }},
      {"bmm", [](const OperationView& it) { return product_flops(it, 0, 3); }},
      {"baddbmm", [](const OperationView& it) { return product_flops(it, 1, 3); }},
      {"addbmm", [](const OperationView& it) { return product_flops(it, 1, 3); }},
      {"_grouped_mm", [](const OperationView& it) { return summed_over_last_axis(it, 0); }},
      {"matmul", [](const OperationView& it) { return summed_over_last_axis(it, 0); }},
      {"linear", [](const OperationView& it) { return summed_over_last_axis(it, 0); }},
      {"mv", [](const OperationView& it) { return with_vector(it, 0); }},
      {"addmv", [](const OperationView& it) { return with_vector(it, 1); }},
      {"dot", [](const OperationView& it) { return with_vector(it, 0); }},
      {"vdot", [](const OperationView& it) { return with_vector(it, 0); }},
      {"convolution",
       [](const OperationView& it) { return convolution_flops(it, it.flag(6, false)); }},
      {"_convolution",
       [](const OperationView& it) { return convolution_flops(it, it.flag(6, false)); }},
      {"conv1d", [](const OperationView& it) { return convolution_flops(it, false); }},
      {"conv2d", [](const OperationView& it) { return convolution_flops(it, false); }},
      {"conv3d", [](const OperationView& it) { return convolution_flops(it, false); }},
      {"conv_transpose1d", [](const OperationView& it) { return convolution_flops(it, true); }},
      {"conv_transpose2d", [](const OperationView& it) { return convolution_flops(it, true); }},
      {"conv_transpose3d", [](const OperationView& it) { return convolution_flops(it, true); }},
      {"convolution_backward", convolution_backward},
      {"attention", attention_flops},
      {"scaled_dot_product_attention", attention_flops},
      {"attention_backward", attention_backward},
      {"recurrent", [](const OperationView& it) { return recurrent_flops(it, 0); }},
      {"recurrent_backward", [](const OperationView& it) { return 2 * recurrent_flops(it, 1); }}};
  return rules;
}

}  // namespace

double flops_of(const OperationView& operation) {
  const auto rule = rules().find(without_underscore(plain_name(operation.operation())));
  return rule == rules().end() ? 0 : rule->second(operation);
}

}  // namespace ampere
