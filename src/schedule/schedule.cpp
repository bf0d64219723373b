#include "schedule/schedule.h"

#include "schedule/check_task.h"
#include "schedule/no_schedule.h"
#include "schedule/search.h"

namespace ampere {

Schedule make_schedule(const Task& task, const SolverLimits& limits, StopToken stop) {
  check_task(task);
  const Problem problem = make_problem(task);
  Search search = problem.shortest ? find_shortest(problem, limits, stop)
                                   : find_cheapest(problem, task.start, limits, stop);
  if (!search.plan) throw no_schedule(task, problem, search.stuck, stop);
  if (task.start == Start::earliest)
    search.plan = begin_early(problem, *search.plan);
  else if (task.forecast && task.objective == Objective::energy)
    search.plan = begin_cheaply(problem, *search.plan, limits, stop);
  return finish_schedule(task, problem, *search.plan, search.bound);
}

}  // namespace ampere
