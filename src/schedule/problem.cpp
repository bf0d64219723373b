#include "schedule/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

std::string per_second(double seconds) { return fmt::format("{:.6g} s", seconds); }

// Why this choice is none, and what would make it one; empty if it is one.
std::string obstacle(const Task& task, const Job& job, const Choice& choice) {
  const DeviceKind& kind = task.kinds[choice.kind];
  if (kind.count == 0) return fmt::format("there is no device of kind '{}'", kind.name);
  const double power = choice.power_most.value, energy = choice.energy_most.value;
  if (task.cap && power > with_slack(task.cap->value))
    return fmt::format(
        "on '{}' it may draw {:.6g} W, more than the cap of {:.6g} W; a cap of {:.6g} W "
        "would fit",
        kind.name, power, task.cap->value, power);
  if (job.budget && energy > with_slack(job.budget->value))
    return fmt::format(
        "on '{}' it may use {:.6g} J, more than its budget of {:.6g} J; a budget of "
        "{:.6g} J would fit",
        kind.name, energy, job.budget->value, energy);
  const double begin = job.begin_after.value_or(Seconds{0}).count();
  const double end = begin + choice.time_most.count();
  if (job.deadline && end > with_slack(job.deadline->count()))
    return fmt::format(
        "on '{}' it ends {} from now at the latest, after its deadline of {}; a deadline "
        "of {} would fit",
        kind.name, per_second(end), per_second(job.deadline->count()), per_second(end));
  return "";
}

[[noreturn]] void no_option(const Task& task, const Job& job) {
  std::string reasons;
  for (const Choice& choice : job.choices)
    reasons += (reasons.empty() ? "" : "; ") + obstacle(task, job, choice);
  throw Error(ErrorCode::failed,
              fmt::format("job '{}' cannot run anywhere: {}", job.name, reasons));
}

// Whatever else is to be kept, no schedule uses less than this.
void check_budget(const Task& task, const Problem& problem) {
  double least = 0, most_of_one = 0;
  std::size_t hungriest = 0;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    double energy = kForever;
    for (const Option& option : problem.jobs[i].options)
      energy = std::min(energy, option.energy_most);
    least += energy;
    if (energy > most_of_one) {
      most_of_one = energy;
      hungriest = i;
    }
  }
  if (least <= with_slack(problem.budget)) return;
  throw Error(
      ErrorCode::failed,
      fmt::format("the energy budget of {:.6g} J is too small: on the kinds where they need least "
                  "the jobs may use {:.6g} J together, and job '{}' needs {:.6g} J of it; a "
                  "budget of at least {:.6g} J is needed",
                  problem.budget, least, task.jobs[hungriest].name, most_of_one, least));
}

void add_job(const Task& task, const Job& job, Problem& problem,
             std::vector<std::size_t>& first_option) {
  first_option.push_back(problem.all_options.size());
  for (std::size_t i = 0; i < job.choices.size(); ++i) {
    const Choice& choice = job.choices[i];
    if (!obstacle(task, job, choice).empty()) continue;
    problem.all_options.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(choice.kind),
         static_cast<std::uint32_t>(problem.all_options.size()), choice.time_most.count(),
         choice.power_most.value, choice.energy.value, choice.energy_most.value});
  }
  if (problem.all_options.size() == first_option.back()) no_option(task, job);
  JobToPlace work;
  if (job.begin_after) work.release = job.begin_after->count();
  if (job.deadline) work.due = job.deadline->count();
  problem.jobs.push_back(work);
}

}  // namespace

Problem make_problem(const Task& task) {
  Problem problem;
  problem.shortest = task.objective == Objective::time;
  problem.by_forecast = task.objective == Objective::carbon || task.objective == Objective::price;
  if (task.forecast) problem.curve = CostCurve(*task.forecast);
  if (task.cap) problem.cap = task.cap->value;
  if (task.budget) problem.budget = task.budget->value;
  for (const DeviceKind& kind : task.kinds)
    problem.devices.push_back(static_cast<double>(kind.count));

  std::vector<std::size_t> first_option;
  for (const Job& job : task.jobs) add_job(task, job, problem, first_option);
  first_option.push_back(problem.all_options.size());
  for (std::size_t i = 0; i < problem.jobs.size(); ++i)
    problem.jobs[i].options = std::span(problem.all_options)
                                  .subspan(first_option[i], first_option[i + 1] - first_option[i]);
  check_budget(task, problem);
  return problem;
}

}  // namespace ampere
