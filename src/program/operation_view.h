// What counting needs to know of an operation. Everything that is missing or of another kind throws
// Error(usage) that names the operation and the argument.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "ampere/program.h"

namespace ampere {

// The name without its overload: "add" of "add.Tensor".
std::string_view plain_name(const Operation& operation);
// The same without the underscore of operations that change their first argument.
std::string_view without_underscore(std::string_view plain);
// Whether it multiplies matrices, as the device's library for that does.
bool is_matrix_product(const Operation& operation);
// Whether the operation changes its first argument: "add_.Tensor".
bool is_in_place(const Operation& operation);

class OperationView {
 public:
  // Refers to both, which outlive it.
  OperationView(const Operation& operation, std::span<const TensorType> tensors)
      : operation_(&operation), tensors_(tensors) {}

  const Operation& operation() const { return *operation_; }
  std::size_t arguments() const { return operation_->arguments.size(); }

  const TensorType& tensor(std::size_t argument, std::size_t least_axes = 0) const;
  const TensorType& result(std::size_t index, std::size_t least_axes = 0) const;
  // Of an argument that may be absent.
  bool flag(std::size_t argument, bool otherwise) const;
  std::int64_t number(std::size_t argument, std::int64_t otherwise) const;
  std::string text(std::size_t argument) const;
  // An item of a list of flags, true when there is no such list.
  bool listed_flag(std::size_t argument, std::size_t item) const;

  // Adds up what `of` says about each tensor in the value, and in the lists in it.
  using PerTensor = std::function<double(const TensorType&)>;
  double sum(const Value& value, const PerTensor& of) const;
  double bytes(const Value& value) const;             // at different places in memory
  double argument_bytes(std::size_t argument) const;  // 0 when it is absent
  double result_bytes() const;                        // of all of them

  [[noreturn]] void fail(const std::string& message) const;

 private:
  const TensorType& tensor_in(const ValueList& values, std::size_t index, const char* what,
                              std::size_t least_axes) const;

  const Operation* operation_;
  std::span<const TensorType> tensors_;
};

}  // namespace ampere
