// A process of the fleet, to be killed at any moment:
//
//   campaign_process execute URL ID SLURM_ID NODE      what a node runs
//   campaign_process coordinate URL LIST JOBS SCALE    what plans and submits, again and again
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ampere/error.h"
#include "campaign_jobs.h"
#include "fleet/execute.h"
#include "fleet/node_database.h"

namespace {

using namespace ampere;

std::atomic<bool> stop{false};

std::unique_ptr<SqlDatabase> open(const char* url) { return open_node_database(url); }

int execute(char** arguments) {
  JobTable table(open(arguments[0]));
  const Executed end = execute_job(table, std::atoll(arguments[1]),
                                   {arguments[2], arguments[3], StopToken(stop), {}, ""});
  return end.exit_status;
}

// A job that was given up or failed is planned again, with more energy where there is too little.
void plan_again(JobTable& table, const FleetJob& job) {
  for (const std::string& account : job.accounts)
    if (table.ledger().account(account).free() < job.reserved)
      table.ledger().grant(account, job.reserved);
  table.again(job.id, job.reserved);
}

// Slurm's id of a job follows from its own, so that a coordinator which is started again submits
// nothing twice.
int coordinate(char** arguments) {
  JobTable table(open(arguments[0]));
  const std::vector<FleetJob> jobs =
      testing_support::campaign_jobs(std::atoi(arguments[2]), std::atof(arguments[3]));
  for (const FleetJob& added : table.add(arguments[1], jobs)) {
    FleetJob job = added;
    if (has_ended(job.state) && job.state != JobState::finished) {
      plan_again(table, job);
      job = table.get(job.id);
    }
    if (job.state == JobState::planned)
      table.submitted(job.id, testing_support::campaign_slurm_id(job));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  std::signal(SIGTERM, [](int) { stop = true; });
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "execute" && argc == 6) return execute(argv + 2);
  if (verb == "coordinate" && argc == 6) return coordinate(argv + 2);
  std::fprintf(stderr, "campaign_process: wrong arguments\n");
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
