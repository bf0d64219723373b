#include "method/operations/operation_part.h"

#include <algorithm>
#include <array>

#include "program/operation_view.h"

namespace ampere {
namespace {

using enum OperationPart;

constexpr std::array<const char*, kOperationParts> kWords{"product",
                                                          "tf32_product",
                                                          "convolution",
                                                          "convolution_backward",
                                                          "grouped_convolution",
                                                          "grouped_convolution_backward",
                                                          "attention",
                                                          "attention_backward",
                                                          "norm",
                                                          "norm_backward",
                                                          "recurrent",
                                                          "reduction",
                                                          "index",
                                                          "pool",
                                                          "update",
                                                          "pointwise",
                                                          "other"};

template <std::size_t size>
bool is_one_of(std::string_view name, const std::array<std::string_view, size>& names) {
  return std::ranges::find(names, name) != names.end();
}

// Of each group only the names whose arguments the features know; all others belong to `other`.
constexpr std::array<std::string_view, 5> kNorms{"batch_norm", "native_layer_norm", "layer_norm",
                                                 "native_group_norm", "_fused_rms_norm"};
constexpr std::array<std::string_view, 3> kNormsBackward{
    "batch_norm_backward", "native_layer_norm_backward", "native_group_norm_backward"};

OperationPart convolution_part(const Operation& operation, std::string_view name) {
  const bool backward = name == "convolution_backward";
  if (!backward && name != "convolution") return other;
  const std::size_t groups = backward ? 9 : 8;
  if (OperationView(operation, {}).number(groups, 1) > 1)
    return backward ? grouped_convolution_backward : grouped_convolution;
  return backward ? OperationPart::convolution_backward : OperationPart::convolution;
}

OperationPart attention_part(std::string_view name) {
  if (name == "attention_backward") return OperationPart::attention_backward;
  return name == "attention" || name == "scaled_dot_product_attention" ? OperationPart::attention
                                                                       : other;
}

OperationPart norm_part(std::string_view name) {
  if (is_one_of(name, kNormsBackward)) return norm_backward;
  return is_one_of(name, kNorms) ? norm : other;
}

// Pooling and losses by targets read memory in ways of their own.
OperationPart reduction_part(std::string_view name) {
  if (name.find("pool") != std::string_view::npos) return pool;
  if (name.starts_with("nll_loss")) return index;
  return reduction;
}

// Updates of many tensors in one call; "_amp_update_scale_" has only single numbers.
OperationPart update_part(const Operation& operation) {
  const auto* list = operation.arguments.empty()
                         ? nullptr
                         : std::get_if<ValueList>(&operation.arguments.front().is);
  const bool has_tensors =
      list != nullptr && !list->empty() && std::holds_alternative<TensorIndex>(list->front().is);
  return has_tensors ? update : pointwise;
}

}  // namespace

const char* to_string(OperationPart part) { return kWords.at(static_cast<std::size_t>(part)); }

std::optional<OperationPart> find_operation_part(std::string_view word) {
  const auto found = std::ranges::find(kWords, word);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<OperationPart>(found - kWords.begin());
}

std::string name_in_part(const Operation& operation) {
  if (!operation.tf32) return operation.name;
  return operation.name + (*operation.tf32 ? " in TF32" : " without TF32");
}

std::optional<OperationPart> part_of(const Operation& operation) {
  if (!operation.launches) return std::nullopt;
  const std::string_view name = without_underscore(plain_name(operation));
  switch (group_of(operation)) {
    case OperationGroup::view:
      return std::nullopt;
    case OperationGroup::product:
      if (!is_matrix_product(operation)) return other;
      return operation.tf32.value_or(false) ? tf32_product : product;
    case OperationGroup::convolution:
      return convolution_part(operation, name);
    case OperationGroup::attention:
      return attention_part(name);
    case OperationGroup::norm:
      return norm_part(name);
    case OperationGroup::recurrent:
      return name == "recurrent" || name == "recurrent_backward" ? recurrent : other;
    case OperationGroup::reduction:
      return reduction_part(name);
    case OperationGroup::index:
      return index;
    case OperationGroup::update:
      return update_part(operation);
    case OperationGroup::pointwise:
      return name.starts_with("upsample_") ? pool : pointwise;
    case OperationGroup::other:
      return other;
  }
  return other;
}

bool is_backward(OperationPart part) {
  return part == convolution_backward || part == grouped_convolution_backward ||
         part == attention_backward || part == norm_backward;
}

bool is_grouped_convolution(OperationPart part) {
  return part == grouped_convolution || part == grouped_convolution_backward;
}

}  // namespace ampere
