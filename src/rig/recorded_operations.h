// Times of operations in a recording. Each operation is found on its own, whatever request it was
// timed in, because nobody asks for the same lists of operations again.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>

#include "program/operation_key.h"
#include "record/recorded_line.h"
#include "rig/replayed.h"

namespace ampere {

class RecordedOperations {
 public:
  void add(RecordedTimes line);

  bool empty() const { return known_.empty() && failed_.empty(); }
  bool knows_any(const OperationTimesRequest& request) const;
  std::size_t size() const;     // answers
  std::size_t repeats() const;  // of answers that were given before

  // An operation that was never timed has a text that says so.
  OperationTimes give(const OperationTimesRequest& request);

 private:
  using Time = std::variant<StepTimes, std::string>;  // or why it could not be timed
  Time give(OperationKey key);

  std::unordered_map<OperationKey, Replayed<Time>> known_;
  // Why whole requests failed, for each of their operations. It is not known which of them was the
  // reason, so a time from another request counts more.
  std::unordered_map<OperationKey, std::string> failed_;
};

}  // namespace ampere
