// Which tensors of fp32 hold numbers that come out of 16 bits, as in mixed precision. They cost
// less energy to move and to compute with, since half of their bits never change.
#pragma once

#include <vector>

#include "ampere/program.h"

namespace ampere {

// A program knows the types of its tensors and not which tensor is which. So a type counts as
// rounded where conversions from 16 bits make at least a fifth as many tensors of it as operations
// read. Refers to the program.
class RoundedTypes {
 public:
  explicit RoundedTypes(const Program& program);

  // Whether the operation reads such a tensor.
  bool are_read_by(std::size_t operation) const;

 private:
  const Program& program_;
  std::vector<bool> rounded_;  // by tensor
};

}  // namespace ampere
