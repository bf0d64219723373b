// Programs and operations for the tests.
#pragma once

#include <string>

#include "ampere/program.h"
#include "base/json.h"

namespace ampere::testing_support {

// A linear layer of 9 inputs and 4 outputs with batch 8, as docs/program-format.md has it.
std::string tiny_json();
Program tiny_program();
// tiny_json() with the value at the pointer ("/tensors/0") replaced, or removed when it is
// discarded.
std::string tiny_json_with(const std::string& pointer, const Json& value);

// One operation of a program, with arguments and results as JSON in which "fp32[8,9]" and
// "fp32[9,4]{1,9}" (with strides) are tensors.
class Call {
 public:
  Call(std::string name, const std::string& arguments, const std::string& results,
       const std::string& keywords = "{}");
  OperationCounts counts() const { return count(operation_, tensors_); }
  const Operation& operation() const { return operation_; }
  const std::vector<TensorType>& tensors() const { return tensors_; }

 private:
  Value value(const Json& json);
  ValueList values(const std::string& text);

  std::vector<TensorType> tensors_;
  Operation operation_;
};

double flops(const std::string& name, const std::string& arguments, const std::string& results);
double bytes(const std::string& name, const std::string& arguments, const std::string& results);

}  // namespace ampere::testing_support
