#include "fleet_planning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/read_file.h"
#include "base/shell_word.h"
#include "forecast/forecast.h"
#include "front_door.h"
#include "interrupt.h"
#include "ranges.h"
#include "terminal.h"

namespace ampere {
namespace {

// "cheapest" and "cleanest" are the best hours by price and by carbon.
void apply_start(const std::string& start, const std::string& objective, PlanOptions& options) {
  if (start == "earliest") return;
  options.start = Start::best;
  const Objective meant = start == "cheapest" ? Objective::price : Objective::carbon;
  if (!objective.empty() && options.objective != meant)
    throw Error(ErrorCode::usage,
                fmt::format("--start {} means --objective {}; leave --objective {} out", start,
                            to_string(meant), objective));
  options.objective = meant;
}

// Of the forecast; without one of these objectives any kind only moves jobs to better hours.
std::optional<ForecastKind> kind_needed(Objective objective) {
  if (objective == Objective::carbon) return ForecastKind::carbon;
  if (objective == Objective::price) return ForecastKind::price;
  return std::nullopt;
}

// The commands that profile what is missing: one per network and kind.
std::string missing_profiles(const JobFile& jobs, const Costs& costs) {
  std::set<std::string> commands;
  const bool slurm = has_slurm();
  for (std::size_t j = 0; j < jobs.jobs.size(); ++j)
    for (std::size_t k = 0; k < costs.kinds.size(); ++k) {
      if (!costs.cells[j][k].unprofiled) continue;
      const JobSpec& job = jobs.jobs[j];
      const KindSpec& kind = costs.kinds[k].spec;
      const std::string setup = fmt::format(
          "{}{}",
          job.setup.batch == Setup{}.batch ? "" : fmt::format(" --batch {}", job.setup.batch),
          job.setup.optimizer == Setup{}.optimizer
              ? ""
              : fmt::format(" --optimizer {}", to_string(job.setup.optimizer)));
      commands.insert(slurm ? fmt::format("`ampere fleet profile {}{} --on {}`",
                                          shell_word(job.model), setup, kind.name)
                            : fmt::format("`ampere profile {}{} --rig {}`", shell_word(job.model),
                                          setup, shell_word(kind.rig)));
    }
  return fmt::format("{}", fmt::join(commands, ", "));
}

// Jobs without any cost end the planning; kinds that are left out are said.
void require_costs(const JobFile& jobs, const Costs& costs) {
  std::set<std::string> left_out;
  for (std::size_t j = 0; j < jobs.jobs.size(); ++j) {
    bool any = false;
    for (const CostCell& cell : costs.cells[j]) any = any || cell.cost.has_value();
    if (any) {
      for (std::size_t k = 0; k < costs.kinds.size(); ++k)
        if (costs.cells[j][k].unprofiled) left_out.insert(costs.kinds[k].spec.name);
      continue;
    }
    std::string reasons;
    for (std::size_t k = 0; k < costs.kinds.size(); ++k)
      reasons += fmt::format("\n  {}: {}", costs.kinds[k].spec.name, costs.cells[j][k].reason);
    const std::string commands = missing_profiles(jobs, costs);
    throw Error(ErrorCode::unknown,
                fmt::format("{}: job '{}': nobody knows what it costs on any kind of device:{}{}",
                            jobs.path, jobs.jobs[j].name, reasons,
                            commands.empty() ? "" : "\nProfile it first: " + commands));
  }
  if (!left_out.empty())
    print_warning(
        fmt::format("some jobs were not considered for {}, where they were never "
                    "profiled; {} would change that",
                    fmt::join(left_out, ", "), missing_profiles(jobs, costs)));
}

}  // namespace

PlanOptions PlanningOptions::options(std::chrono::sys_seconds now) const {
  PlanOptions result;
  if (!objective.empty()) result.objective = parse_objective(objective);
  apply_start(start, objective, result);
  if (!cap.empty()) result.cap = parse_power(cap, "--cap");
  if (!budget.empty()) result.budget = parse_energy(budget, "--budget");
  if (!forecast.empty())
    result.forecast = parse_forecast(read_file(forecast, kLargestTable), forecast, now,
                                     kind_needed(result.objective));
  const bool needs = result.objective == Objective::carbon || result.objective == Objective::price;
  if (needs && !result.forecast)
    throw Error(ErrorCode::usage,
                fmt::format("the {} over time is not known; give --forecast FILE with it",
                            to_string(result.objective)));
  result.limits.time = Seconds(solver_s);
  result.stop = stop_token();
  return result;
}

void add_planning_options(CLI::App& command, PlanningOptions& options) {
  command
      .add_option(
          "--objective", options.objective,
          "What to minimise: energy (the default), time (when the last job ends), carbon or "
          "price")
      ->check(CLI::IsMember({"energy", "time", "carbon", "price"}));
  command
      .add_option(
          "--start", options.start,
          "When jobs start inside their deadlines: earliest, or in the cheapest or cleanest "
          "hours of the forecast")
      ->check(CLI::IsMember({"earliest", "cheapest", "cleanest"}))
      ->capture_default_str();
  command.add_option("--forecast", options.forecast,
                     "CSV file with the price or the carbon per kWh over time");
  command.add_option("--cap", options.cap,
                     "Power of all devices together at any moment, as in 20kW (default: what "
                     "Slurm's licences 'watts' allow)");
  command.add_option("--budget", options.budget, "Energy of all jobs together, as in 50kWh");
  command
      .add_option("--solver-seconds", options.solver_s, "Longest time to search for a better plan")
      ->check(number_above_to(0, kMostSeconds))
      ->capture_default_str();
}

PowerCap power_cap(const std::optional<Watts>& asked) {
  PowerCap result{asked, {}, {}};
  if (!has_slurm()) return result;
  const auto licences = open_slurm().licences(kWattLicence);
  if (!licences) {
    result.warnings.push_back(fmt::format(
        "this cluster has no licences '{0}', so Slurm itself keeps no power cap; its administrator "
        "can add Licenses={0}:N to slurm.conf",
        kWattLicence));
    return result;
  }
  result.licences = licences->total;
  const Watts site{static_cast<double>(licences->total)};
  if (!result.cap || *result.cap > site) result.cap = site;
  if (asked && *asked < site)
    result.warnings.push_back(fmt::format(
        "the plan keeps {:.0f} W, but Slurm itself only keeps the {} W of its licences: jobs that "
        "start later than planned, and those of others, may exceed the lower cap",
        asked->value, licences->total));
  return result;
}

FleetPlan plan_jobs(JobFile jobs, const FleetFile& fleet, const FleetOptions& where,
                    PlanOptions options, std::chrono::sys_seconds now) {
  const PowerCap power = power_cap(options.cap);
  options.cap = power.cap;
  print_warnings(power.warnings);
  const Session session = open_preview_session(where.store);
  const OpenModel open = model_opener();
  Costs costs =
      cost_jobs(jobs, fleet, current_kinds(fleet), known_devices(where.store), session, open);
  print_warnings(costs.warnings);
  require_costs(jobs, costs);
  return make_plan(std::move(jobs), std::move(costs), options, now);
}

}  // namespace ampere
