// An operation as a text that says everything about it, with the types of its tensors written out,
// so that it does not matter how tensors are numbered.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ampere/program.h"

namespace ampere {

class OperationTexts {
 public:
  // Of operations with indices into these tensors.
  explicit OperationTexts(std::span<const TensorType> tensors);
  std::string of(const Operation& operation) const;

 private:
  std::vector<std::string> types_;
};

}  // namespace ampere
