#include "method/operations/known_times.h"

#include <algorithm>

#include "base/hash.h"
#include "program/operation_text.h"

namespace ampere {

std::vector<OperationKey> operation_keys(const std::vector<Operation>& operations,
                                         const std::vector<TensorType>& tensors) {
  OperationTexts texts(tensors);
  std::vector<OperationKey> keys;
  keys.reserve(operations.size());
  for (const Operation& operation : operations) keys.push_back(hash_number(texts.of(operation)));
  return keys;
}

OperationKey operation_key(const Operation& operation, const std::vector<TensorType>& tensors) {
  return hash_number(OperationTexts(tensors).of(operation));
}

KnownTimes::KnownTimes(const std::map<OperationKey, double>& seconds) {
  entries_.reserve(seconds.size());
  for (const auto& [key, time] : seconds) entries_.emplace_back(key, static_cast<float>(time));
}

std::optional<double> KnownTimes::find(OperationKey key) const {
  const auto found = std::ranges::lower_bound(entries_, key, {}, &Entry::first);
  if (found == entries_.end() || found->first != key) return std::nullopt;
  return found->second;
}

}  // namespace ampere
