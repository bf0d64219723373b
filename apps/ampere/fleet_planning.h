// Planning a list of jobs, for the verbs that plan.
#pragma once

#include "fleet/plan.h"
#include "fleet_options.h"

namespace ampere {

struct PlanningOptions {
  std::string objective, start = "earliest", forecast, cap, budget;
  double solver_s = SolverLimits{}.time.count();
  // Throws Error(usage) that names the option or the line of the forecast.
  PlanOptions options(std::chrono::sys_seconds now) const;
};
void add_planning_options(CLI::App& command, PlanningOptions& options);

// The power that Slurm's licences leave to the site: the cap unless a lower one is asked for.
struct PowerCap {
  std::optional<Watts> cap;              // to plan by
  std::optional<std::int64_t> licences;  // that the cluster has
  std::vector<std::string> warnings;
};
PowerCap power_cap(const std::optional<Watts>& asked);

// Estimates and places the jobs. Prints warnings to standard error. Throws Error(unknown) with the
// commands that make missing profiles, and as make_plan does.
FleetPlan plan_jobs(JobFile jobs, const FleetFile& fleet, const FleetOptions& where,
                    PlanOptions options, std::chrono::sys_seconds now);

void print_plan(const FleetPlan& plan);
Json plan_json(const FleetPlan& plan);

}  // namespace ampere
