// The energy of a trace up to any of the last moments, in bounded memory.
#pragma once

#include <optional>
#include <vector>

#include "ampere/meter.h"
#include "meter/history.h"
#include "meter/trace/trace_parser.h"

namespace ampere {

class TraceIntegrator {
 public:
  explicit TraceIntegrator(std::optional<Seconds> longest_gap) : gap_(longest_gap) {}

  // E += (P₋ + P)/2 · Δt, at `time` of our clock. Throws Error(failed) when the gap before it is
  // too long and reaches past `since`: what was used in it is unknown.
  void add(Seconds time, const std::vector<Watts>& power, Seconds since);

  void forget_before(Seconds time) { history_.forget_before(time); }
  void finish();  // the last sample counts even when it is close to the one before

  std::optional<Reading> at(Seconds time) const { return history_.at(time); }
  std::optional<Seconds> begin() const;
  std::optional<Seconds> end() const;
  std::optional<Seconds> period() const;  // typical time between samples, once there are two

 private:
  void note_interval(Seconds interval);

  std::optional<Seconds> gap_;
  ReadingHistory history_;
  std::optional<Reading> last_;
  std::vector<Watts> power_;  // at last_, the mean of samples of the same time
  int same_time_ = 0;
  std::vector<double> intervals_;  // the first ones, in seconds
  Seconds typical_{};
};

}  // namespace ampere
