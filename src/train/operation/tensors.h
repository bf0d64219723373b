// Tensors for an operation that is timed alone, made from their types, with numbers that it can
// take. Seen by the sources that see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <span>

#include "ampere/program.h"

namespace ampere {

// Throws Error(failed) for a format that this LibTorch does not have.
at::ScalarType scalar_type(ElementType element);

class OperationTensors {
 public:
  // Refers to the types, which outlive it.
  OperationTensors(std::span<const TensorType> types, at::Device device)
      : types_(types), device_(device) {}

  std::span<const TensorType> types() const { return types_; }
  at::Device device() const { return device_; }
  const TensorType& type(const Value& value) const;  // of a value that is a tensor
  double bytes_of(const Value& value) const;         // of all tensors in it

  // Whole numbers are indices `below` that, or 0 and 1.
  at::Tensor make(const Value& value, std::optional<std::int64_t> below = {}) const;
  at::Tensor make_if_there(const Value& value) const;  // undefined for an absent argument

 private:
  std::span<const TensorType> types_;
  at::Device device_;
};

bool is_tensor(const Value& value);

// Whether the result of this number is wanted, and is more than a place without numbers.
bool has_result(const Operation& operation, std::size_t index, const OperationTensors& tensors);

}  // namespace ampere
