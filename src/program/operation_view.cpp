#include "program/operation_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ampere/error.h"
#include "base/text.h"
#include "program/tensor_type.h"

namespace ampere {

std::string_view plain_name(const Operation& operation) {
  return std::string_view(operation.name).substr(0, operation.name.find('.'));
}

std::string_view without_underscore(std::string_view plain) {
  if (plain.size() > 1 && plain.ends_with('_') && !plain.ends_with("__")) plain.remove_suffix(1);
  return plain;
}

bool is_matrix_product(const Operation& operation) {
  constexpr std::array<std::string_view, 8> kMatrixProducts{
      "mm", "addmm", "bmm", "baddbmm", "addbmm", "_int_mm", "_scaled_mm", "_addmm_activation"};
  return std::ranges::find(kMatrixProducts, without_underscore(plain_name(operation))) !=
         kMatrixProducts.end();
}

bool is_in_place(const Operation& operation) {
  const std::string_view plain = plain_name(operation);
  return without_underscore(plain) != plain;
}

void OperationView::fail(const std::string& message) const {
  throw Error(ErrorCode::usage, operation_->name + ": " + message);
}

const TensorType& OperationView::tensor_in(const ValueList& values, std::size_t index,
                                           const char* what, std::size_t least_axes) const {
  const TensorIndex* tensor =
      index < values.size() ? std::get_if<TensorIndex>(&values[index].is) : nullptr;
  if (tensor == nullptr) fail(fmt::format("{} {} must be a tensor", what, index));
  const TensorType& type = tensors_[static_cast<std::size_t>(tensor->index)];
  if (type.sizes.size() < least_axes)
    fail(fmt::format("{} {} must be a tensor with at least {}", what, index,
                     least_axes == 1 ? "1 axis" : fmt::format("{} axes", least_axes)));
  return type;
}

const TensorType& OperationView::tensor(std::size_t argument, std::size_t least_axes) const {
  return tensor_in(operation_->arguments, argument, "argument", least_axes);
}

const TensorType& OperationView::result(std::size_t index, std::size_t least_axes) const {
  return tensor_in(operation_->results, index, "result", least_axes);
}

bool OperationView::flag(std::size_t argument, bool otherwise) const {
  if (argument >= arguments()) return otherwise;
  const Value& value = operation_->arguments[argument];
  if (std::holds_alternative<std::monostate>(value.is)) return otherwise;
  if (const bool* is = std::get_if<bool>(&value.is)) return *is;
  fail(fmt::format("argument {} must be true or false", argument));
}

std::int64_t OperationView::number(std::size_t argument, std::int64_t otherwise) const {
  if (argument >= arguments()) return otherwise;
  if (const auto* is = std::get_if<std::int64_t>(&operation_->arguments[argument].is)) return *is;
  fail(fmt::format("argument {} must be a whole number", argument));
}

std::string OperationView::text(std::size_t argument) const {
  const std::string* is = argument < arguments()
                              ? std::get_if<std::string>(&operation_->arguments[argument].is)
                              : nullptr;
  if (is == nullptr) fail(fmt::format("argument {} must be a text", argument));
  return *is;
}

bool OperationView::listed_flag(std::size_t argument, std::size_t item) const {
  if (argument >= arguments()) return true;
  const auto* list = std::get_if<ValueList>(&operation_->arguments[argument].is);
  const bool* is =
      list != nullptr && item < list->size() ? std::get_if<bool>(&(*list)[item].is) : nullptr;
  if (is == nullptr)
    fail(fmt::format("argument {} must be a list of at least {} of true and false", argument,
                     item + 1));
  return *is;
}

double OperationView::sum(const Value& value, const PerTensor& of) const {
  if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
    return of(tensors_[static_cast<std::size_t>(tensor->index)]);
  double total = 0;
  if (const auto* list = std::get_if<ValueList>(&value.is))
    for (const Value& each : *list) total += sum(each, of);
  return total;
}

double OperationView::bytes(const Value& value) const { return sum(value, distinct_bytes); }

double OperationView::argument_bytes(std::size_t argument) const {
  return argument < arguments() ? bytes(operation_->arguments[argument]) : 0;
}

double OperationView::result_bytes() const {
  double total = 0;
  for (const Value& value : operation_->results) total += bytes(value);
  return total;
}

}  // namespace ampere
