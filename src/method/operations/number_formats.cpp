#include "method/operations/number_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ampere/error.h"
#include "method/operations/feature_row.h"
#include "method/operations/tensor_layout.h"
#include "program/tf32.h"

namespace ampere {
namespace {

bool multiplies(const Operation& operation) {
  const OperationGroup group = group_of(operation);
  return group == OperationGroup::product || group == OperationGroup::attention;
}

// The first floating format among its tensors; nothing for products of whole numbers.
std::optional<ElementType> format_of(const Operation& operation,
                                     std::span<const TensorType> tensors) {
  const OperationTensors of = tensors_of(operation, tensors);
  for (const TensorType* type : of.inputs)
    if (is_floating(type->element)) return type->element;
  return std::nullopt;
}

// Whether all products that were timed have the other width of numbers: then the column that says
// so is constant, and the model does not use it.
bool only_other_width(const OperationFeatures& features, const OperationMap& map) {
  const PartModel& model = map.parts[static_cast<std::size_t>(features.part)];
  const auto column = std::ranges::find(features.names, "half") - features.names.begin();
  if (!model.has_process() || column >= model.scale.size() || model.scale[column] > 0) return false;
  return (model.centre[column] > 0.5) != features.half;
}

bool is_timed(ElementType format) {
  return format == ElementType::fp32 || format == ElementType::bf16 || format == ElementType::fp16;
}

}  // namespace

std::vector<ElementType> product_formats(const Program& program) {
  std::set<ElementType> formats;
  for (const Operation& operation : program.operations)
    if (multiplies(operation))
      if (const auto format = format_of(operation, program.tensors)) formats.insert(*format);
  return {formats.begin(), formats.end()};
}

bool multiplies_in(ElementType format, const Program& program) {
  return std::ranges::any_of(program.operations, [&](const Operation& operation) {
    const bool counts = multiplies(operation) || group_of(operation) == OperationGroup::convolution;
    return counts && format_of(operation, program.tensors) == format;
  });
}

void require_product_formats(const Program& program, const GeneralProfile& profile) {
  for (const Operation& operation : program.operations) {
    if (!multiplies(operation)) continue;
    const auto format = format_of(operation, program.tensors);
    if (!format) continue;
    const OperationMap& map = profile.fitted.map;
    const auto features = operation_features(operation, program.tensors, map.device);
    if (is_timed(*format) && !(features && only_other_width(*features, map))) continue;
    throw Error(
        ErrorCode::unknown,
        fmt::format("{}: multiplies numbers in {}, and no product in this format was timed on {}",
                    program.name, to_string(*format), profile.device.name));
  }
}

void require_tf32_products(const Program& program, const OperationMap& map,
                           const std::string& device) {
  const PartModel& products = map.parts[static_cast<std::size_t>(OperationPart::tf32_product)];
  if (!multiplies_in_tf32(program) || products.has_process() || !products.names.table().empty())
    return;
  throw Error(ErrorCode::unknown,
              fmt::format("{}: multiplies matrices in TF32, and products in TF32 were not timed on "
                          "{}",
                          program.name, device),
              Remedy::general_profile);
}

}  // namespace ampere
