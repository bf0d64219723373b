// Times of operations that were measured exactly as they occur.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ampere/program.h"

namespace ampere {

// The hash of an operation with the types of its tensors; the same in every program.
using OperationKey = std::uint64_t;
std::vector<OperationKey> operation_keys(const std::vector<Operation>& operations,
                                         const std::vector<TensorType>& tensors);
OperationKey operation_key(const Operation& operation, const std::vector<TensorType>& tensors);

class KnownTimes {
 public:
  using Entry = std::pair<OperationKey, float>;  // seconds, as they are stored

  KnownTimes() = default;
  explicit KnownTimes(const std::map<OperationKey, double>& seconds);
  explicit KnownTimes(std::vector<Entry> sorted) : entries_(std::move(sorted)) {}

  std::optional<double> find(OperationKey key) const;
  const std::vector<Entry>& entries() const { return entries_; }  // sorted by key

 private:
  std::vector<Entry> entries_;
};

}  // namespace ampere
