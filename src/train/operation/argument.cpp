#include "train/operation/argument.h"

namespace ampere {

const Value& argument(const Operation& operation, std::size_t index) {
  static const Value absent;
  return index < operation.arguments.size() ? operation.arguments[index] : absent;
}

bool flag(const Operation& operation, std::size_t index) {
  return OperationView(operation, {}).flag(index, false);
}

std::int64_t whole(const Operation& operation, std::size_t index) {
  return OperationView(operation, {}).number(index, 0);
}

std::optional<double> real(const Operation& operation, std::size_t index) {
  const Value& value = argument(operation, index);
  if (const auto* number = std::get_if<double>(&value.is)) return *number;
  if (const auto* integer = std::get_if<std::int64_t>(&value.is))
    return static_cast<double>(*integer);
  return std::nullopt;
}

}  // namespace ampere
