// Distinct types of tensors, for operations of several programs that are sent or kept together.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "ampere/program.h"

namespace ampere {

class TensorTable {
 public:
  int add(const TensorType& type);  // its index; an equal one has the same
  // The same operation, with indices into this table instead of `tensors`.
  Operation add(const Operation& operation, std::span<const TensorType> tensors);
  const std::vector<TensorType>& types() const { return types_; }

 private:
  using Key = std::tuple<ElementType, std::vector<std::int64_t>, std::vector<std::int64_t>>;

  Value moved(const Value& value, std::span<const TensorType> tensors);

  std::vector<TensorType> types_;
  std::map<Key, int> indices_;
};

}  // namespace ampere
