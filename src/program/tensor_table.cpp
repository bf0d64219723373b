#include "program/tensor_table.h"

namespace ampere {

int TensorTable::add(const TensorType& type) {
  const auto [found, is_new] = indices_.try_emplace({type.element, type.sizes, type.strides},
                                                    static_cast<int>(types_.size()));
  if (is_new) types_.push_back(type);
  return found->second;
}

Value TensorTable::moved(const Value& value, std::span<const TensorType> tensors) {
  if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
    return {TensorIndex{add(tensors[static_cast<std::size_t>(tensor->index)])}};
  const auto* list = std::get_if<ValueList>(&value.is);
  if (list == nullptr) return value;
  ValueList own;
  own.reserve(list->size());
  for (const Value& each : *list) own.push_back(moved(each, tensors));
  return {std::move(own)};
}

Operation TensorTable::add(const Operation& operation, std::span<const TensorType> tensors) {
  Operation own = operation;
  for (ValueList* values : {&own.arguments, &own.results})
    for (Value& value : *values) value = moved(value, tensors);
  for (auto& [name, value] : own.keywords) value = moved(value, tensors);
  return own;
}

}  // namespace ampere
