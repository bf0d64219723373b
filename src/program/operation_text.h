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
  // Of operations with indices into these tensors, which outlive it.
  explicit OperationTexts(std::span<const TensorType> tensors)
      : tensors_(tensors), types_(tensors.size()) {}
  std::string of(const Operation& operation);

 private:
  std::span<const TensorType> tensors_;
  std::vector<std::string> types_;  // of the tensors that occurred so far; empty for the others
};

}  // namespace ampere
