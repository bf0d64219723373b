// Makes plans better by moving jobs.
#pragma once

#include "schedule/builder.h"

namespace ampere {

struct ImproveLimits {
  std::optional<double> bound;  // stop when the plan is this good
  int passes = 5;               // over all jobs, each moved where it costs less
  int exchanges = 0;            // of a few jobs taken out and put in again in another order
  Seconds time{30};
};

// A plan that keeps all constraints and costs no more. Not for the objective time.
Plan improve(const Problem& problem, const Buckets& buckets, const PriceList& prices, Plan plan,
             const Rules& rules, const ImproveLimits& limits, StopToken stop);

}  // namespace ampere
