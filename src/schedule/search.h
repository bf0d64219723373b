// The two searches for a good plan: one for costs that add up, one for the end of the last job.
#pragma once

#include "schedule/construct.h"
#include "schedule/plan.h"

namespace ampere {

constexpr std::size_t kFewJobs = 2'000;  // for which several orders are tried

struct Search {
  std::optional<Plan> plan;  // nothing if none was found
  double bound = 0;          // that no plan is below; 0 if none was found
  std::size_t stuck = 0;     // a job that found no place, if there is no plan
};

Search find_cheapest(const Problem& problem, Start start, const SolverLimits& limits,
                     StopToken stop);
Search find_shortest(const Problem& problem, const SolverLimits& limits, StopToken stop);

// Moves jobs to cheaper hours of the forecast without changing where they run.
Plan begin_cheaply(const Problem& problem, const Plan& plan, const SolverLimits& limits,
                   StopToken stop);

}  // namespace ampere
