// Readings in the order of their times, and the energy at any moment between two of them.
#pragma once

#include <deque>
#include <optional>

#include "ampere/meter.h"

namespace ampere {

class ReadingHistory {
 public:
  // A reading at the time of the last one (a counter that has not moved since) adds nothing.
  void add(const Reading& reading);

  // Forgets what lies before the last reading that is not after `time`.
  void forget_before(Seconds time);

  // The energy at `time`, on the straight line between the readings around it. Absent before the
  // first and after the last one.
  std::optional<Reading> at(Seconds time) const;

  const std::deque<Reading>& readings() const { return readings_; }

 private:
  std::deque<Reading> readings_;
};

}  // namespace ampere
