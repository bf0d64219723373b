#include "train/operation/limits.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "program/operation_view.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

constexpr std::array<std::string_view, 9> kAlongAxis{
    "gather",    "scatter",    "scatter_add", "scatter_reduce", "index_select",
    "index_add", "index_copy", "index_fill",  "index_reduce"};
constexpr std::array<std::string_view, 3> kOfClasses{"nll_loss_forward", "nll_loss2d_forward",
                                                     "multi_margin_loss"};
constexpr std::array<std::string_view, 3> kOfClassesBackward{
    "nll_loss_backward", "nll_loss2d_backward", "multi_margin_loss_backward"};
constexpr std::array<std::string_view, 4> kIndexing{"index", "index_put", "_index_put_impl",
                                                    "_unsafe_index"};

bool contains(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::int64_t size_along(const TensorType& type, std::int64_t axis) {
  const std::int64_t axes = std::ssize(type.sizes);
  if (axes == 0) return 1;
  return type.sizes[static_cast<std::size_t>(((axis % axes) + axes) % axes)];
}

std::int64_t classes(const TensorType& scores) {
  return scores.sizes[scores.sizes.size() > 1 ? 1 : 0];
}

bool is_mask(const TensorType& type) {
  return type.element == ElementType::boolean || type.element == ElementType::uint8;
}

}  // namespace

Limit limit_of(const Operation& operation, const std::string& argument,
               std::span<const TensorType> tensors) {
  const OperationView view(operation, tensors);
  const std::string_view name = without_underscore(plain_name(operation));
  if (argument == "index" && contains(kAlongAxis, name))
    return size_along(view.tensor(0), view.number(1, 0));
  if (argument == "index" && name == "take") return elements_of(view.tensor(0));
  if (argument == "target" && contains(kOfClasses, name)) return classes(view.tensor(0, 1));
  if (argument == "target" && contains(kOfClassesBackward, name)) return classes(view.tensor(1, 1));
  if (argument == "indices" && (name == "embedding" || name == "_embedding_bag"))
    return view.tensor(0, 1).sizes[0];
  if (argument == "indices" && name == "embedding_dense_backward") return view.number(2, 1);
  return std::nullopt;
}

std::optional<std::vector<Limit>> index_limits(const Operation& operation,
                                               std::span<const TensorType> tensors) {
  if (!contains(kIndexing, without_underscore(plain_name(operation))) ||
      operation.arguments.size() < 2)
    return std::nullopt;
  const auto* indices = std::get_if<ValueList>(&operation.arguments[1].is);
  if (!indices) return std::nullopt;
  const TensorType& indexed = OperationView(operation, tensors).tensor(0);
  std::vector<Limit> limits;
  std::size_t axis = 0;
  for (const Value& each : *indices) {
    const auto* index = std::get_if<TensorIndex>(&each.is);
    const TensorType* type = index ? &tensors[static_cast<std::size_t>(index->index)] : nullptr;
    if (type) limits.push_back(axis < indexed.sizes.size() ? Limit(indexed.sizes[axis]) : Limit());
    axis += type && is_mask(*type) ? type->sizes.size() : 1;
  }
  return limits;
}

}  // namespace ampere
