// What executing a model and executing a command have in common.
#pragma once

#include "fleet/execute.h"
#include "fleet/job_work.h"

namespace ampere {

// One attempt, and what it has done so far.
struct Execution {
  JobTable& table;
  const Attempt& attempt;
  const JobWork& work;
  const ExecuteOptions& options;
  AttemptProgress done;  // energy counts from the start of the reservation

  void tell(const std::string& message) const;
  // Each ends the attempt, in the table and for the caller.
  Executed finish(JobState state, const std::string& reason);
  Executed suspend(const std::string& reason);
  // After a failure, when nobody knows how much of what was drawn has been used: as finish(failed),
  // or as suspend() when the failure came with the signal to end, which Slurm sends to all
  // processes of a job.
  Executed fail_unmeasured(const std::string& reason, Joules drawn);
  // Whether that signal has come; waits for one that may be on its way.
  bool is_asked_to_end() const;
};

Executed execute_model(Execution& execution);
Executed execute_command(Execution& execution);

// Waits so long by the monotonic clock, whatever the other clocks do. Returns early when asked to
// stop.
void wait_for(Seconds time, StopToken stop = {});

}  // namespace ampere
