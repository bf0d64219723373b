#include <algorithm>
#include <array>
#include <map>

#include "program/counts.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

double result_bytes(const OperationView& operation) { return operation.result_bytes(); }

double keyword_bytes(const OperationView& operation) {
  double total = 0;
  for (const auto& [key, value] : operation.operation().keywords)
    if (key != "out") total += operation.bytes(value);  // "out" is the result
  return total;
}

double read_bytes(const OperationView& operation, std::size_t from = 0) {
  double total = keyword_bytes(operation);
  for (std::size_t i = from; i < operation.arguments(); ++i) total += operation.argument_bytes(i);
  return total;
}

// What is read once and written once. What is changed in place is the first argument; a list of
// tensors that is changed has no result.
double plain(const OperationView& operation) {
  return read_bytes(operation) + (is_in_place(operation.operation()) ? operation.argument_bytes(0)
                                                                     : result_bytes(operation));
}

// The first argument is overwritten without a look at it.
double overwritten(const OperationView& operation) {
  return operation.argument_bytes(0) + read_bytes(operation, 1);
}

// The arguments only tell sizes.
double filled(const OperationView& operation) { return result_bytes(operation); }

// Of one argument only the sizes matter.
template <std::size_t unread>
double but_for(const OperationView& operation) {
  return plain(operation) - operation.argument_bytes(unread);
}

double in_elements(double elements, const TensorType& of) {
  return elements * bytes_of(of.element);
}

// Rows of a table, each of them read once at most.
double embedding(const OperationView& operation) {
  const TensorType& table = operation.tensor(0, 1);
  const auto rows = static_cast<double>(table.sizes[0]);
  const double read = std::min(rows, distinct_elements(operation.tensor(1)));
  const double row = rows > 0 ? distinct_elements(table) / rows : 0;
  return in_elements(read * row, table) + operation.argument_bytes(1) + result_bytes(operation);
}

// As many elements of the first argument as come out.
double picked(const OperationView& operation) {
  const TensorType& from = operation.tensor(0);
  const double read = std::min(distinct_elements(from), elements_of(operation.result(0)));
  return in_elements(read, from) + read_bytes(operation, 1) + result_bytes(operation);
}

// Elements of the last tensor among the arguments go to places in the first one, which is changed
// in place or copied before. Adding to them reads them too.
double placed(const OperationView& operation, double written_elements, bool reads) {
  const TensorType& target = operation.tensor(0);
  const double there = in_elements(std::min(written_elements, distinct_elements(target)), target);
  const double copied = is_in_place(operation.operation())
                            ? 0
                            : operation.argument_bytes(0) + result_bytes(operation);
  return read_bytes(operation, 1) + (reads ? 2 : 1) * there + copied;
}

double scattered(const OperationView& operation, bool reads) {
  return placed(operation, elements_of(operation.tensor(2)), reads);
}

double index_put(const OperationView& operation) {
  const auto* accumulates = operation.arguments() > 3
                                ? std::get_if<bool>(&operation.operation().arguments[3].is)
                                : nullptr;
  // One value may be spread over all places, of which there are as many as indices.
  double places = elements_of(operation.tensor(2));
  if (const auto* indices = std::get_if<ValueList>(&operation.operation().arguments[1].is))
    for (const Value& index : *indices)
      places = std::max(places, operation.sum(index, elements_of));
  return placed(operation, places, accumulates != nullptr && *accumulates);
}

double index_add(const OperationView& operation) {
  return placed(operation, elements_of(operation.tensor(3)), true);
}

double index_copy(const OperationView& operation) {
  return placed(operation, elements_of(operation.tensor(3)), false);
}

// One number for each target.
double picked_loss(const OperationView& operation) {
  const TensorType& scores = operation.tensor(0);
  const double read = std::min(distinct_elements(scores), elements_of(operation.tensor(1)));
  return in_elements(read, scores) + read_bytes(operation, 1) + result_bytes(operation);
}

// The weight is needed for the gradient of the input and the input for that of the weight.
double bytes_of_convolution_backward(const OperationView& operation) {
  double read = operation.argument_bytes(0);
  if (operation.listed_flag(10, 0)) read += operation.argument_bytes(2);
  if (operation.listed_flag(10, 1)) read += operation.argument_bytes(1);
  return read + result_bytes(operation);
}

// Lists of weights, gradients and states, and last of all the counts of steps. Gradients and counts
// are only read.
double fused_update(const OperationView& operation) {
  double written = 0;
  const std::size_t lists = static_cast<std::size_t>(std::ranges::count_if(
      operation.operation().arguments,
      [](const Value& value) { return std::holds_alternative<ValueList>(value.is); }));
  const bool counts_steps = plain_name(operation.operation()) != "_fused_sgd_";
  for (std::size_t i = 0; i < lists; ++i)
    if (i != 1 && !(counts_steps && i + 1 == lists)) written += operation.argument_bytes(i);
  return read_bytes(operation) + written;
}

using Rule = double (*)(const OperationView&);

const std::map<std::string_view, Rule>& byte_rules() {
  static const std::map<std::string_view, Rule> rules{
      {"copy_", overwritten},
      {"fill_", overwritten},
      {"zero_", overwritten},
      {"bernoulli_", overwritten},
      {"normal_", overwritten},
      {"uniform_", overwritten},
      {"random_", overwritten},
      {"exponential_", overwritten},
      {"_foreach_copy_", overwritten},
      {"_foreach_zero_", overwritten},
      {"_fused_adam_", fused_update},
      {"_fused_adamw_", fused_update},
      {"_fused_adagrad_", fused_update},
      {"_fused_sgd_", fused_update},
      {"zeros_like", filled},
      {"ones_like", filled},
      {"full_like", filled},
      {"rand_like", filled},
      {"randn_like", filled},
      {"randint_like", filled},
      {"new_zeros", filled},
      {"new_ones", filled},
      {"new_full", filled},
      {"embedding", embedding},
      {"gather", picked},
      {"index", picked},
      {"index_select", picked},
      {"take", picked},
      {"scatter", [](const OperationView& it) { return scattered(it, false); }},
      {"scatter_", [](const OperationView& it) { return scattered(it, false); }},
      {"scatter_add", [](const OperationView& it) { return scattered(it, true); }},
      {"scatter_add_", [](const OperationView& it) { return scattered(it, true); }},
      {"index_put", index_put},
      {"index_put_", index_put},
      {"_index_put_impl_", index_put},
      {"index_add", index_add},
      {"index_add_", index_add},
      {"index_copy", index_copy},
      {"index_copy_", index_copy},
      {"nll_loss_forward", picked_loss},
      {"nll_loss2d_forward", picked_loss},
      {"nll_loss_backward", but_for<1>},
      {"nll_loss2d_backward", but_for<1>},
      {"avg_pool2d_backward", but_for<1>},
      {"avg_pool3d_backward", but_for<1>},
      {"_adaptive_avg_pool2d_backward", but_for<1>},
      {"_adaptive_avg_pool3d_backward", but_for<1>},
      {"adaptive_max_pool2d_backward", but_for<1>},
      {"adaptive_max_pool3d_backward", but_for<1>},
      {"max_pool2d_with_indices_backward", but_for<1>},
      {"max_pool3d_with_indices_backward", but_for<1>},
      {"reflection_pad1d_backward", but_for<1>},
      {"reflection_pad2d_backward", but_for<1>},
      {"replication_pad2d_backward", but_for<1>},
      {"convolution_backward", bytes_of_convolution_backward}};
  return rules;
}

}  // namespace

double bytes_moved_by(const OperationView& operation) {
  const auto rule = byte_rules().find(plain_name(operation.operation()));
  return rule == byte_rules().end() ? plain(operation) : rule->second(operation);
}

}  // namespace ampere
