#include "method/operations/feature_row.h"

#include <algorithm>
#include <cmath>

#include "base/factors_of_two.h"
#include "method/operations/tensor_layout.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

constexpr double kLeast = 1e-9;
constexpr int kMostFactors = 6;
constexpr double kManyWaves = 16;

void collect(const Value& value, std::span<const TensorType> tensors,
             std::vector<const TensorType*>& types) {
  if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
    types.push_back(&tensors[static_cast<std::size_t>(tensor->index)]);
  if (const auto* list = std::get_if<ValueList>(&value.is))
    for (const Value& each : *list) collect(each, tensors, types);
}

}  // namespace

OperationTensors tensors_of(const Operation& operation, std::span<const TensorType> tensors) {
  OperationTensors found{tensors_in(operation.arguments, tensors), {}};
  for (const auto& [key, value] : operation.keywords) collect(value, tensors, found.inputs);
  found.outputs = tensors_in(operation.results, tensors);
  return found;
}

std::vector<const TensorType*> tensors_in(const ValueList& values,
                                          std::span<const TensorType> tensors) {
  std::vector<const TensorType*> types;
  for (const Value& value : values) collect(value, tensors, types);
  return types;
}

bool works_in_half(const OperationTensors& tensors) {
  for (const auto* list : {&tensors.inputs, &tensors.outputs})
    for (const TensorType* type : *list)
      if (is_floating(type->element)) return is_half(type->element);
  return false;
}

std::int64_t listed_number(const Operation& operation, std::size_t argument, std::size_t item,
                           std::int64_t otherwise) {
  if (argument >= operation.arguments.size()) return otherwise;
  const Value& value = operation.arguments[argument];
  if (const auto* number = std::get_if<std::int64_t>(&value.is)) return *number;
  const auto* list = std::get_if<ValueList>(&value.is);
  if (list == nullptr || list->empty()) return otherwise;
  const auto* number = std::get_if<std::int64_t>(&(*list)[std::min(item, list->size() - 1)].is);
  return number == nullptr ? otherwise : *number;
}

RecurrentSize recurrent_size(const OperationView& view) {
  RecurrentSize size;
  size.backward = plain_name(view.operation()) == "recurrent_backward";
  const std::size_t first = size.backward ? 1 : 0;  // of the arguments of the forward pass
  const TensorType& x = view.tensor(first, 2);
  size.input = static_cast<double>(x.sizes.back());
  const bool batched = x.sizes.size() > 2, batch_first = view.flag(first + 7, false);
  size.steps = static_cast<double>(x.sizes[batched && batch_first ? 1 : 0]);
  if (batched) size.batch = static_cast<double>(x.sizes[batch_first ? 0 : 1]);
  size.hidden = static_cast<double>(view.number(first + 5, 1));
  size.layers =
      static_cast<double>(view.number(first + 6, 1)) * (view.flag(first + 10, false) ? 2 : 1);
  if (first + 1 < view.arguments())
    size.weights = view.sum(view.operation().arguments[first + 1], elements_of);
  return size;
}

double log2_of(double value) { return std::log2(std::max(value, kLeast)); }

double factors_of_two(std::int64_t number) { return factors_of_two(number, kMostFactors); }

void FeatureRow::add(std::string_view name, double value) {
  names_.push_back(name);
  values_.push_back(value);
}

void FeatureRow::add_waves(std::string_view name, std::string_view quantized, double tiles) {
  const double waves = tiles / multiprocessors_;
  add_log(name, waves);
  add(quantized, waves > 0 && waves < kManyWaves ? std::ceil(waves) / waves : 1);
}

}  // namespace ampere
