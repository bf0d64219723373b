// Executing one job of the fleet, on the node where Slurm started it.
#pragma once

#include <functional>
#include <string>

#include "ampere/progress.h"
#include "fleet/job_table.h"

namespace ampere {

struct ExecuteOptions {
  std::string slurm_id, node;
  StopToken stop = {};  // set by the signal with which Slurm announces that it will kill the job
  std::function<void(const std::string&)> tell = {};  // what happens, for the log of the job
  std::string runner = {};                            // as RigOptions::runner
};

struct Executed {
  JobState state = JobState::finished;  // submitted: it was suspended
  int exit_status = 0;                  // 0 also when the job was finished before
  std::string message;                  // how it ended, for people
};

// Runs the job to its end, until its energy is used up, or until it must stop. Whatever happens, at
// most what was drawn before is spent. Throws Error(failed) when the job must not run here: it was
// cancelled or lost, or another attempt runs it; Error(unknown) when there is no such job; and what
// the database throws.
Executed execute_job(JobTable& table, std::int64_t id, const ExecuteOptions& options);

}  // namespace ampere
