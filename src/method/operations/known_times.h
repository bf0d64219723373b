// Times of operations that were measured exactly as they occur.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "program/operation_key.h"

namespace ampere {

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
