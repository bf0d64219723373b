#include <fmt/format.h>

#include "base/json_text.h"
#include "fleet_planning.h"
#include "fleet_verbs.h"

namespace ampere {
namespace {

struct FleetPlanArguments {
  FleetOptions where;
  PlanningOptions planning;
  std::string jobs;
};

void plan(const FleetPlanArguments& options) {
  const auto now = utc_seconds_now();
  const FleetFile fleet = load_fleet(options.where);
  const FleetPlan made = plan_jobs(load_jobs(options.jobs, now), fleet, options.where,
                                   options.planning.options(now), now);
  if (options.where.json)
    fmt::print("{}\n", json_text(plan_json(made)));
  else
    print_plan(made);
}

}  // namespace

void add_fleet_plan(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<FleetPlanArguments>();
  CLI::App* command = fleet.add_subcommand(
      "plan",
      "Says what each job costs on each kind of device, and places the jobs; submits nothing");
  command->add_option("JOBS", options->jobs, "File that lists the jobs")->required();
  add_fleet_file_option(*command, options->where);
  add_planning_options(*command, options->planning);
  add_fleet_common(*command, options->where, settings);
  add_wide_flag(*command);
  add_example(*command, "ampere fleet plan jobs.toml --cap 20kW --budget 50kWh");
  command->callback([options] { plan(*options); });
}

}  // namespace ampere
