// When the steps of a counter come that moves at regular times: a phase and a period, kept right by
// watching a step closely now and then.
#pragma once

#include <cstdint>

#include "ampere/units.h"

namespace ampere {

class StepClock {
 public:
  StepClock() = default;
  StepClock(Seconds step, Seconds period);  // a step seen, and about how often they come

  Seconds period() const { return period_; }
  std::int64_t index_at(Seconds time) const;  // of the last step not after it
  Seconds time_of(std::int64_t index) const;
  double phase_at(Seconds time) const;  // 0 at a step, nearly 1 before the next

  bool is_due(Seconds now) const { return now >= check_at_; }  // time to watch a step closely

  // A step that was watched. False when it is so far from where it was expected that steps are not
  // regular.
  bool correct(Seconds step);

 private:
  Seconds origin_{}, period_{};
  Seconds first_{};               // the step it began with
  std::int64_t since_first_ = 0;  // steps from there to the origin
  Seconds interval_{}, check_at_{};
};

}  // namespace ampere
