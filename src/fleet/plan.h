// A plan for a list of jobs: where each runs and in which order, and the jobs of the table that it
// becomes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "fleet/costs.h"
#include "fleet/fleet_job.h"
#include "schedule/schedule.h"

namespace ampere {

struct PlanOptions {
  Objective objective = Objective::energy;
  Start start = Start::earliest;
  std::optional<Watts> cap;
  std::optional<Joules> budget;
  std::optional<Forecast> forecast;
  SolverLimits limits = {};
  StopToken stop = {};
};

struct FleetPlan {
  JobFile jobs;
  Costs costs;
  Task task;                              // kinds without devices left out
  Schedule schedule;                      // placements in the order of the jobs
  std::vector<std::size_t> kind_of_task;  // index into costs.kinds, by index into task.kinds
  std::chrono::sys_seconds now;

  std::size_t kind_of(const Placement& placement) const;  // index into costs.kinds
  const JobCost& cost_of(const Placement& placement) const;
  std::vector<Placement> by_begin() const;  // those that begin first come first
};

// Throws Error(unknown) naming a job that no kind has a cost for, with the reason of each kind, and
// as make_schedule does.
FleetPlan make_plan(JobFile jobs, Costs costs, const PlanOptions& options,
                    std::chrono::sys_seconds now);

// As JobTable::add takes them, those that begin first come first. A job waits for its planned begin
// only where the plan chose the hour, or the file asks for it; otherwise it starts as soon as
// Slurm has a device for it. `folder` is where commands run; `more_accounts` bear every job, too.
std::vector<FleetJob> planned_jobs(const FleetPlan& plan, const FleetFile& fleet,
                                   const OpenModel& open, const std::string& folder,
                                   const std::vector<std::string>& more_accounts);

// What the job would do on this kind, as text for the table.
std::string work_text(const JobSpec& job, const FleetFile& fleet, const KindSpec& kind,
                      const OpenModel& open, const std::string& folder);

}  // namespace ampere
