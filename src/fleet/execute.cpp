#include "fleet/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/steady_now.h"
#include "fleet/execution.h"
#include "fleet/job_rows.h"

namespace ampere {
namespace {

constexpr Seconds kNap{0.02};
constexpr Seconds kSignalDelay{0.5};  // between the processes of a job

// 0 when the job has ended as it should; Slurm shows the status of any other.
int exit_status_of(JobState state) {
  return state == JobState::finished ? 0 : exit_status(ErrorCode::failed);
}

Executed begin_and_run(Execution& execution) try {
  execution.done.iterations_done = execution.attempt.job.iterations_done;
  execution.done.steady = execution.attempt.job.steady;
  execution.done.spent = execution.attempt.spent_before;
  return execution.work.is_command() ? execute_command(execution) : execute_model(execution);
} catch (const JobCancelled& cancelled) {
  return execution.finish(JobState::cancelled, cancelled.what());
}

}  // namespace

void wait_for(Seconds time, StopToken stop) {
  const Seconds until = steady_now() + time;
  for (Seconds left = time; left.count() > 0 && !stop.stop_requested(); left = until - steady_now())
    std::this_thread::sleep_for(std::min(left, kNap));
}

void Execution::tell(const std::string& message) const {
  if (options.tell) options.tell(message);
}

Executed Execution::finish(JobState state, const std::string& reason) {
  table.finish(attempt, state, reason, done);
  return {state, exit_status_of(state),
          fmt::format("{} is {}{}", job_label(attempt.job), to_string(state),
                      reason.empty() ? "" : ": " + reason)};
}

Executed Execution::suspend(const std::string& reason) {
  table.suspend(attempt, done, reason);
  return {JobState::submitted, exit_status(ErrorCode::interrupted),
          fmt::format("{} is suspended: {}", job_label(attempt.job), reason)};
}

Executed Execution::fail_unmeasured(const std::string& reason, Joules drawn) {
  done.spent = std::max(done.spent, drawn);
  done.source.reset();
  if (is_asked_to_end()) return suspend("Slurm asked it to end");
  return finish(JobState::failed, reason);
}

bool Execution::is_asked_to_end() const {
  wait_for(kSignalDelay, options.stop);
  return options.stop.stop_requested();
}

Executed execute_job(JobTable& table, std::int64_t id, const ExecuteOptions& options) {
  const auto begun = table.begin(id, options.slurm_id, options.node);
  if (const Refusal* refusal = std::get_if<Refusal>(&begun)) {
    if (!refusal->finished) throw Error(ErrorCode::failed, refusal->reason);
    return {JobState::finished, 0, refusal->reason};
  }
  const Attempt& attempt = std::get<Attempt>(begun);
  JobWork work;
  Execution execution{table, attempt, work, options, {}};
  execution.done.spent = attempt.spent_before;
  try {
    work = parse_job_work(attempt.job.work, job_label(attempt.job));
  } catch (const Error& error) {
    return execution.finish(JobState::failed, error.what());
  }
  return begin_and_run(execution);
}

}  // namespace ampere
