// A schedule while it is being made.
#pragma once

#include <vector>

#include "schedule/problem.h"

namespace ampere {

struct Slot {
  std::uint32_t option = 0;  // of the job
  double begin = 0;
};

using Plan = std::vector<Slot>;  // one per job

inline const Option& option_of(const Problem& problem, const Plan& plan, std::size_t job) {
  return problem.jobs[job].options[plan[job].option];
}

// Of the objective.
double value_of(const Problem& problem, const Plan& plan);

// Gives every job a device of its own kind, fills in the sums. The plan must keep the numbers of
// devices at every moment.
Schedule finish_schedule(const Task& task, const Problem& problem, const Plan& plan, double bound);

}  // namespace ampere
