#include "program/tf32.h"

#include <algorithm>

#include "program/operation_view.h"

namespace ampere {
namespace {

bool begins_with_fp32(const Operation& operation, std::span<const TensorType> tensors) {
  const auto* first = operation.arguments.empty()
                          ? nullptr
                          : std::get_if<TensorIndex>(&operation.arguments.front().is);
  return first != nullptr &&
         tensors[static_cast<std::size_t>(first->index)].element == ElementType::fp32;
}

}  // namespace

// Attention has kernels of its own, which the setting does not change.
void allow_tf32(Program& program) {
  for (Operation& operation : program.operations)
    if (is_matrix_product(operation) && begins_with_fp32(operation, program.tensors))
      operation.tf32 = true;
}

Program without_tf32(Program program) {
  for (Operation& operation : program.operations) operation.tf32.reset();
  return program;
}

bool mentions_tf32(const Program& program) {
  return std::ranges::any_of(program.operations,
                             [](const Operation& operation) { return operation.tf32.has_value(); });
}

bool multiplies_in_tf32(const Program& program) {
  return std::ranges::any_of(program.operations, [](const Operation& operation) {
    return operation.tf32.value_or(false) && is_matrix_product(operation);
  });
}

}  // namespace ampere
