// Why a task has no schedule, and what would fit.
#pragma once

#include "ampere/error.h"
#include "schedule/problem.h"

namespace ampere {

// The error to throw when no plan was found and `stuck` was a job without a place. Lifts one limit
// after the other until there is a plan, and says what that plan needs.
Error no_schedule(const Task& task, const Problem& problem, std::size_t stuck, StopToken stop);

}  // namespace ampere
