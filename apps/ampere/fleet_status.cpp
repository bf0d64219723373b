// `ampere fleet status`, `watch` and `cancel`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "fleet/submit.h"
#include "fleet_job_output.h"
#include "fleet_lists.h"
#include "fleet_options.h"
#include "fleet_verbs.h"
#include "interrupt.h"
#include "ranges.h"
#include "terminal.h"

namespace ampere {
namespace {

struct StatusArguments {
  FleetOptions where;
  std::string list;
  std::vector<std::string> jobs;  // to cancel
  double interval_s = 2;
};

// Compares with Slurm where it answers; otherwise says what the table says.
Reconciled look(JobTable& table, const std::string& list, const FleetOptions& where) try {
  return reconcile(table, open_slurm(), Seconds(where.silence_s), list);
} catch (const Error& error) {
  if (error.code() == ErrorCode::interrupted) throw;
  print_warning(fmt::format("this is what the jobs themselves reported, since {}", error.what()));
  return {};
}

Json status_json(JobTable& table, const std::string& list, const Reconciled& now) {
  const std::vector<FleetJob> jobs = table.find({list, {}});
  return {{"list", list},
          {"jobs", jobs_json(jobs, now.queue)},
          {"accounts", accounts_json(accounts_of(table, jobs))}};
}

void say_how_to_go_on(JobTable& table, std::span<const FleetJob> jobs, const std::string& list) {
  const auto lost =
      std::ranges::count_if(jobs, [&](const FleetJob& job) { return died_on_the_way(table, job); });
  const auto waiting = std::ranges::count(jobs, JobState::planned, &FleetJob::state);
  if (lost + waiting == 0) return;
  fmt::print(
      "{} {} not with Slurm; `ampere fleet submit` with the file of the list {} hands {} to "
      "it again\n",
      counted(lost + waiting, "job"), lost + waiting == 1 ? "is" : "are", list,
      lost + waiting == 1 ? "it" : "them");
}

void status(const StatusArguments& options) {
  JobTable table(open_fleet_database(options.where.store, Access::write));
  const std::string list = chosen_list(table, options.list);
  const Reconciled now = look(table, list, options.where);
  if (options.where.json) {
    fmt::print("{}\n", json_text(status_json(table, list, now)));
    return;
  }
  const std::vector<FleetJob> jobs = table.find({list, {}});
  print_jobs(jobs, now.queue);
  fmt::print("\n{}: {}\n", list, jobs_summary(jobs));
  const std::vector<Account> accounts = accounts_of(table, jobs);
  if (!accounts.empty()) {
    fmt::print("\n");
    print_accounts(accounts);
  }
  say_how_to_go_on(table, jobs, list);
}

bool goes_on(const FleetJob& job) { return !has_ended(job.state); }

// One line that is replaced on a terminal; elsewhere a line whenever something changed.
void watch(const StatusArguments& options) {
  JobTable table(open_fleet_database(options.where.store, Access::write));
  const std::string list = chosen_list(table, options.list);
  ProgressLine line;
  std::string shown;
  while (true) {
    const Reconciled now = look(table, list, options.where);
    const std::vector<FleetJob> jobs = table.find({list, {}});
    if (options.where.json) {
      fmt::print("{}\n", json_text(status_json(table, list, now)));
      std::fflush(stdout);
    } else if (const std::string text = jobs_summary(jobs); text != shown) {
      isatty(STDERR_FILENO) != 0 ? line.show(text) : fmt::print("{}\n", text);
      std::fflush(stdout);
      shown = text;
    }
    if (std::ranges::none_of(jobs, goes_on)) break;
    for (double waited = 0; waited < options.interval_s; waited += 0.1) {
      stop_token().throw_if_stopped();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  line.clear();
  if (!options.where.json) status(options);
}

std::vector<FleetJob> named_jobs(const std::vector<FleetJob>& jobs,
                                 const std::vector<std::string>& names, const std::string& list) {
  if (names.empty()) return jobs;
  std::vector<std::string> there;
  for (const FleetJob& job : jobs) there.push_back(job.name);
  std::vector<FleetJob> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(jobs, name, &FleetJob::name);
    if (found == jobs.end())
      throw Error(ErrorCode::unknown, fmt::format("the list {} has no job '{}'{}", list, name,
                                                  suggestion(name, there)));
    chosen.push_back(*found);
  }
  return chosen;
}

void cancel(const StatusArguments& options) {
  JobTable table(open_fleet_database(options.where.store, Access::write));
  const std::string list = chosen_list(table, options.list);
  look(table, list, options.where);  // one whose node died does not run, whatever it last said
  std::vector<std::string> slurm_ids;
  std::int64_t cancelled = 0;
  for (const FleetJob& job : named_jobs(table.find({list, {}}), options.jobs, list)) {
    if (has_ended(job.state)) continue;
    table.cancel(job.id, "cancelled by its user");
    ++cancelled;
    // One that runs stops by itself after it has settled its energy.
    if (job.state == JobState::submitted && !job.slurm_id.empty())
      slurm_ids.push_back(job.slurm_id);
  }
  open_slurm().cancel(slurm_ids);
  if (options.where.json)
    fmt::print("{}\n", json_text(Json{{"list", list}, {"cancelled", cancelled}}));
  else
    fmt::print("{}: {} cancelled\n", list, counted(cancelled, "job"));
}

CLI::App* add_verb(CLI::App& fleet, const Settings& settings, StatusArguments& options,
                   const char* name, const char* help) {
  CLI::App* command = fleet.add_subcommand(name, help);
  command->add_option("LIST", options.list,
                      "Name of the list of jobs, or its file (default: the latest)");
  add_fleet_common(*command, options.where, settings);
  return command;
}

}  // namespace

void add_fleet_status(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<StatusArguments>();
  CLI::App* command = add_verb(fleet, settings, *options, "status",
                               "Shows the jobs of a list, their progress and their energy");
  add_silence_option(*command, options->where);
  add_wide_flag(*command);
  add_example(*command, "ampere fleet status nightly");
  command->callback([options] { status(*options); });

  auto watching = std::make_shared<StatusArguments>();
  CLI::App* watcher = add_verb(fleet, settings, *watching, "watch",
                               "Shows the progress of a list until all its jobs have ended");
  add_silence_option(*watcher, watching->where);
  watcher->add_option("--interval", watching->interval_s, "Seconds between two looks")
      ->check(number_from_to(0.1, 3600))
      ->capture_default_str();
  add_wide_flag(*watcher);
  add_example(*watcher, "ampere fleet watch nightly");
  watcher->callback([watching] { watch(*watching); });
}

void add_fleet_cancel(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<StatusArguments>();
  CLI::App* command = fleet.add_subcommand(
      "cancel", "Cancels jobs of a list, or all of them; what they did not use is free again");
  command->add_option("LIST", options->list, "Name of the list of jobs, or its file")->required();
  command->add_option("JOB", options->jobs, "Names of jobs (default: all that have not ended)");
  add_silence_option(*command, options->where);
  add_fleet_common(*command, options->where, settings);
  add_example(*command, "ampere fleet cancel nightly cnn5-small-3");
  command->callback([options] { cancel(*options); });
}

}  // namespace ampere
