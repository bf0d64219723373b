#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "fleet/script.h"
#include "fleet/submit.h"
#include "fleet_planning.h"
#include "fleet_verbs.h"
#include "print.h"
#include "terminal.h"

namespace ampere {
namespace {

struct SubmitArguments {
  FleetOptions where;
  PlanningOptions planning;
  std::string jobs;
};

// The jobs of the file that the table does not have. Throws Error(failed) naming a job that is
// there with other work.
JobFile missing_jobs(const JobFile& file, const std::vector<FleetJob>& there,
                     const FleetFile& fleet, const std::string& folder) {
  JobFile missing{file.path, file.name, {}};
  const OpenModel open = model_opener();
  for (const JobSpec& job : file.jobs) {
    const auto found = std::ranges::find(there, job.name, &FleetJob::name);
    if (found == there.end()) {
      missing.jobs.push_back(job);
      continue;
    }
    if (found->work != work_text(job, fleet, fleet.kind(found->kind), open, folder))
      throw Error(ErrorCode::failed,
                  fmt::format("{}: job '{}' was submitted before with other work; give the job or "
                              "the list another name",
                              file.path, job.name));
  }
  return missing;
}

// The account of the list itself, whose grant is the budget. Raising the budget raises the grant.
std::vector<std::string> budget_account(JobTable& table, const std::string& list,
                                        const std::optional<Joules>& budget) {
  if (!budget) return {};
  const std::string name = "list:" + list;
  Joules granted;
  for (const Account& account : table.ledger().accounts())
    if (account.name == name) granted = account.granted;
  if (granted < *budget) table.ledger().grant(name, *budget - granted);
  return {name};
}

SubmitOptions submit_options(const SubmitArguments& options, const FleetFile& fleet,
                             std::chrono::sys_seconds now) {
  namespace fs = std::filesystem;
  SubmitOptions result;
  result.store = options.where.store;
  result.program =
      fleet.program.empty() ? fs::read_symlink("/proc/self/exe").string() : fleet.program;
  const fs::path beside = fs::absolute(fs::path(options.where.fleet)).parent_path();
  result.logs = (fleet.logs.empty() ? beside / "ampere-logs" : beside / fleet.logs).string();
  result.with_watts = open_slurm().licences(kWattLicence).has_value();
  result.silence = Seconds(options.where.silence_s);
  result.now = now;
  return result;
}

// Before anything is planned: energy that nobody pays for is not accounted for.
void require_accounts(const JobFile& file, bool has_budget) {
  for (const JobSpec& job : file.jobs)
    if (job.accounts.empty() && !has_budget)
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: job '{}': names no account that bears its energy; write accounts "
                      "= [\"project:NAME\"] and grant it some (`ampere fleet grant`), or "
                      "give --budget",
                      file.path, job.name));
}

// Plans and reserves what the table does not have yet; returns how many jobs that were.
std::size_t add_missing(JobTable& table, const JobFile& file, const FleetFile& fleet,
                        const SubmitArguments& options, std::chrono::sys_seconds now) {
  const std::string folder = std::filesystem::current_path().string();
  JobFile missing = missing_jobs(file, table.find({file.name, {}}), fleet, folder);
  if (missing.jobs.empty()) return 0;
  const PlanOptions planning = options.planning.options(now);
  require_accounts(missing, planning.budget.has_value());
  const FleetPlan plan = plan_jobs(std::move(missing), fleet, options.where, planning, now);
  const auto accounts = budget_account(table, file.name, planning.budget);
  table.add(file.name, planned_jobs(plan, fleet, model_opener(), folder, accounts));
  if (!options.where.json) print_plan(plan);
  return plan.jobs.jobs.size();
}

void submit(const SubmitArguments& options) {
  require_no_password(options.where.store);  // before any energy is reserved
  const FleetFile fleet = load_fleet(options.where);
  load_jobs(options.jobs, {});  // complains about the file before a database is opened
  JobTable table(open_fleet_database(options.where.store, Access::write));
  // The clock of this machine may jump between two calls, and another one may submit the rest.
  const std::chrono::sys_seconds now = table.now();
  const JobFile file = load_jobs(options.jobs, now);
  const SubmitOptions handing = submit_options(options, fleet, now);
  const std::size_t added = add_missing(table, file, fleet, options, now);
  const Submitted done = submit_list(table, open_slurm(), fleet, file.name, handing);
  for (const FleetJob& job : done.too_late)
    print_warning(fmt::format("job '{}' was not submitted: it cannot end before its deadline {}",
                              job.name, *job.deadline));
  if (options.where.json) {
    fmt::print("{}\n", json_text(Json{{"list", file.name},
                                      {"planned", added},
                                      {"submitted", done.submitted},
                                      {"again", done.again}}));
    return;
  }
  fmt::print("{}: {} submitted to Slurm", file.name, counted(done.submitted, "job"));
  if (done.again > 0)
    fmt::print(", {} of them once more after attempts of them had died", done.again);
  fmt::print("; `ampere fleet watch {}` shows their progress\n", file.name);
}

}  // namespace

void add_fleet_submit(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<SubmitArguments>();
  CLI::App* command = fleet.add_subcommand(
      "submit",
      "Plans the jobs, reserves their energy and hands them to Slurm; a second time, only what is "
      "missing or was lost");
  command->add_option("JOBS", options->jobs, "File that lists the jobs")->required();
  add_fleet_file_option(*command, options->where);
  add_planning_options(*command, options->planning);
  add_silence_option(*command, options->where);
  add_fleet_common(*command, options->where, settings);
  add_wide_flag(*command);
  add_example(*command, "ampere fleet submit jobs.toml --budget 50kWh");
  command->callback([options] { submit(*options); });
}

}  // namespace ampere
