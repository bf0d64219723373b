#include "rig/recorded_operations.h"

#include <algorithm>

namespace ampere {

void RecordedOperations::add(RecordedTimes line) {
  const auto keys = operation_keys(line.asked.operations, line.asked.tensors);
  if (const auto* failure = std::get_if<std::string>(&line.answer)) {
    for (const OperationKey key : keys) failed_[key] = *failure;
    return;
  }
  auto& times = std::get<OperationTimes>(line.answer).each;
  for (std::size_t i = 0; i < keys.size(); ++i) known_[keys[i]].add(std::move(times[i]));
}

bool RecordedOperations::knows_any(const OperationTimesRequest& request) const {
  if (request.operations.empty()) return !empty();  // then nothing is an answer
  return std::ranges::any_of(
      operation_keys(request.operations, request.tensors),
      [&](OperationKey key) { return known_.contains(key) || failed_.contains(key); });
}

std::size_t RecordedOperations::size() const {
  std::size_t size = 0;
  for (const auto& [key, times] : known_) size += times.size();
  return size;
}

std::size_t RecordedOperations::repeats() const {
  std::size_t repeats = 0;
  for (const auto& [key, times] : known_) repeats += times.repeats();
  return repeats;
}

OperationTimes RecordedOperations::give(const OperationTimesRequest& request) {
  OperationTimes times;
  times.each.reserve(request.operations.size());
  for (const OperationKey key : operation_keys(request.operations, request.tensors))
    times.each.push_back(give(key));
  return times;
}

RecordedOperations::Time RecordedOperations::give(OperationKey key) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second.next();
  if (const auto found = failed_.find(key); found != failed_.end()) return found->second;
  return "the recording does not contain this operation";
}

}  // namespace ampere
