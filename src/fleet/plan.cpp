#include "fleet/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/utc.h"
#include "fleet/job_work.h"

namespace ampere {
namespace {

Choice choice_of(const JobCost& cost, std::size_t kind) {
  return {kind,          Joules{cost.energy_j.mean}, cost.reserved,
          cost.occupied, cost.occupied_most,         cost.power_most};
}

[[noreturn]] void fail_without_cost(const FleetPlan& plan, std::size_t job) {
  std::string reasons;
  for (std::size_t k = 0; k < plan.costs.kinds.size(); ++k)
    reasons += fmt::format("{}{}: {}", k > 0 ? "; " : "", plan.costs.kinds[k].spec.name,
                           plan.costs.cells[job][k].reason);
  throw Error(ErrorCode::unknown,
              fmt::format("job '{}': nobody knows what it costs on any kind of device ({})",
                          plan.jobs.jobs[job].name, reasons));
}

void add_job(FleetPlan& plan, std::size_t index) {
  const JobSpec& spec = plan.jobs.jobs[index];
  Job job{spec.name, {}, spec.begin_after, spec.deadline, spec.budget};
  for (std::size_t kind = 0; kind < plan.kind_of_task.size(); ++kind)
    if (const auto& cost = plan.costs.cells[index][plan.kind_of_task[kind]].cost)
      job.choices.push_back(choice_of(*cost, kind));
  if (job.choices.empty()) fail_without_cost(plan, index);
  plan.task.jobs.push_back(std::move(job));
}

std::optional<std::string> utc_after(std::chrono::sys_seconds now, std::optional<Seconds> time) {
  if (!time) return std::nullopt;
  return utc_text(now + std::chrono::ceil<std::chrono::seconds>(*time));
}

}  // namespace

std::size_t FleetPlan::kind_of(const Placement& placement) const {
  return kind_of_task.at(task.jobs[placement.job].choices[placement.choice].kind);
}

const JobCost& FleetPlan::cost_of(const Placement& placement) const {
  return *costs.cells[placement.job][kind_of(placement)].cost;
}

std::vector<Placement> FleetPlan::by_begin() const {
  std::vector<Placement> sorted = schedule.placements;
  std::ranges::stable_sort(sorted, {}, &Placement::begin);
  return sorted;
}

FleetPlan make_plan(JobFile jobs, Costs costs, const PlanOptions& options,
                    std::chrono::sys_seconds now) {
  FleetPlan plan{std::move(jobs), std::move(costs), {}, {}, {}, now};
  for (std::size_t k = 0; k < plan.costs.kinds.size(); ++k) {
    const KindNow& kind = plan.costs.kinds[k];
    if (kind.count == 0) continue;
    plan.kind_of_task.push_back(k);
    plan.task.kinds.push_back({kind.spec.name, kind.count});
  }
  for (std::size_t j = 0; j < plan.jobs.jobs.size(); ++j) add_job(plan, j);
  plan.task.objective = options.objective;
  plan.task.start = options.start;
  plan.task.cap = options.cap;
  plan.task.budget = options.budget;
  plan.task.forecast = options.forecast;
  plan.schedule = make_schedule(plan.task, options.limits, options.stop);
  return plan;
}

std::string work_text(const JobSpec& job, const FleetFile& fleet, const KindSpec& kind,
                      const OpenModel& open, const std::string& folder) {
  JobWork work;
  work.setup = job.setup;
  work.iterations = job.iterations;
  work.command = job.command;
  if (job.command.empty())
    work.model = open(job.model);
  else
    work.folder = folder;
  work.rig = kind.rig;
  work.meter = kind.meter;
  work.time_scale = kind.rig.starts_with("sim:") ? fleet.time_scale : 1;
  return to_text(work);
}

std::vector<FleetJob> planned_jobs(const FleetPlan& plan, const FleetFile& fleet,
                                   const OpenModel& open, const std::string& folder,
                                   const std::vector<std::string>& more_accounts) {
  std::vector<FleetJob> jobs;
  for (const Placement& placement : plan.by_begin()) {
    const JobSpec& spec = plan.jobs.jobs[placement.job];
    const JobCost& cost = plan.cost_of(placement);
    const KindSpec& kind = plan.costs.kinds[plan.kind_of(placement)].spec;
    FleetJob& job = jobs.emplace_back();
    job.name = spec.name;
    job.work = work_text(spec, fleet, kind, open, folder);
    job.kind = kind.name;
    job.energy_j = cost.energy_j;
    job.time_s = cost.time_s;
    job.power_most = cost.power_most;
    job.reserved = cost.reserved;  // inside the budget of the job, or it would not be placed here
    job.accounts = spec.accounts;
    for (const std::string& account : more_accounts)
      if (std::ranges::find(job.accounts, account) == job.accounts.end())
        job.accounts.push_back(account);
    job.iterations = spec.iterations;
    const bool waits = plan.task.start == Start::best || spec.begin_after;
    if (waits) job.begin = utc_after(plan.now, placement.begin);
    job.deadline = utc_after(plan.now, spec.deadline);
  }
  return jobs;
}

}  // namespace ampere
