#include "program/counts.h"

namespace ampere {

OperationCounts count(const Operation& operation, std::span<const TensorType> tensors) {
  if (!operation.launches || group_of(operation) == OperationGroup::view) return {};
  const OperationView view(operation, tensors);
  return {flops_of(view), bytes_moved_by(view)};
}

}  // namespace ampere
