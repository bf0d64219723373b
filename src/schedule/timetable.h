// Which resources are in use when.
#pragma once

#include <vector>

#include "schedule/problem.h"
#include "schedule/step_function.h"

namespace ampere {

// Keeps the numbers of devices and the cap, knows nothing of deadlines and budgets. The problem
// must outlive it.
class Timetable {
 public:
  explicit Timetable(const Problem& problem);

  // The earliest begin from `from` on at which a device is free for the whole run and the cap
  // holds. If that is after `latest`, any time after `latest`.
  double first_fit(const Option& option, double from, double latest = kForever) const;

  void add(const Option& option, double begin);
  void remove(const Option& option, double begin);

 private:
  void change(const Option& option, double begin, double sign);

  const Problem& problem_;
  std::vector<StepFunction> busy_;  // devices in use, per kind
  StepFunction power_;              // watts; unused without a cap
};

}  // namespace ampere
