// What a map says of operations, kept from one program to the next.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "method/operations/operation_map.h"
#include "program/operation_key.h"

namespace ampere {

// Programs of one network at different widths share most of their operations. Serves one thread.
class RememberedMap {
 public:
  explicit RememberedMap(const OperationMap& map) : map_(map) {}  // keeps a reference

  // As map_operations() gives them, without the values of their features. Valid until the next
  // call.
  std::span<const MappedOperation> operator()(const Program& program);

 private:
  void ask(const Program& program, const std::vector<OperationKey>& keys);

  const OperationMap& map_;
  std::unordered_map<OperationKey, MappedOperation> known_;
  std::vector<MappedOperation> found_;
};

}  // namespace ampere
