#include <fmt/format.h>

#include <cstdlib>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "fleet/execute.h"
#include "fleet/node_database.h"
#include "fleet_verbs.h"
#include "interrupt.h"

namespace ampere {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The log of a job is read after the fact, so every line has its time.
void log(const std::string& message) {
  fmt::print("{} {}\n", utc_now(), plain_lines(message));
  std::fflush(stdout);
}

int execute(std::int64_t id, const std::string& store, const std::string& runner) {
  const std::string slurm_id = variable("SLURM_JOB_ID");
  if (slurm_id.empty())
    throw Error(ErrorCode::usage,
                "fleet execute is what Slurm runs on a node; `ampere fleet submit` starts it");
  // Slurm may send its signal more than once, and the job must still report what it has used.
  outlast_interrupts();
  JobTable table(open_node_database(store, log));
  const Executed end =
      execute_job(table, id, {slurm_id, variable("SLURMD_NODENAME"), stop_token(), log, runner});
  log(end.message);
  return end.exit_status;
}

}  // namespace

void add_fleet_execute(CLI::App& fleet, const Settings& settings, int& status) {
  struct Arguments {
    std::int64_t id = 0;
    std::string store, runner;
  };
  auto options = std::make_shared<Arguments>();
  options->runner = settings.runner;
  CLI::App* command = fleet.add_subcommand("execute", "Executes one job; Slurm calls this");
  command->group("");  // not in the help
  command->add_option("ID", options->id, "Id of the job")->required();
  add_store_option(*command, options->store, settings);
  command->callback(
      [options, &status] { status = execute(options->id, options->store, options->runner); });
}

}  // namespace ampere
