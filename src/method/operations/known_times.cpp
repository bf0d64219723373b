#include "method/operations/known_times.h"

#include <algorithm>

namespace ampere {

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
