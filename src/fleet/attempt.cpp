// What the executor of a job reports. Every report first makes sure that its attempt is still the
// one that runs the job.
#include <fmt/format.h>

#include "fleet/job_ending.h"
#include "fleet/job_rows.h"
#include "fleet/job_table.h"
#include "ledger/amount.h"
#include "ledger/database_clock.h"
#include "ledger/turn.h"

namespace ampere {
namespace {

// The row, when this attempt runs the job.
JobRow fenced(SqlDatabase& database, const Attempt& attempt) {
  JobRow row = get_job_row(database, attempt.job.id);
  const FleetJob& job = row.job;
  if (job.attempt == attempt.number && job.state == JobState::running) return row;
  if (job.attempt != attempt.number)
    throw Error(ErrorCode::failed,
                fmt::format("{}: attempt {} took over on {}; this is attempt {} and must stop",
                            job_label(job), job.attempt, job.node, attempt.number));
  throw Error(ErrorCode::failed,
              fmt::format("{}: is {} already ({}); attempt {} must stop", job_label(job),
                          to_string(job.state), job.reason, attempt.number));
}

void refuse_cancelled(const FleetJob& job) {
  if (job.cancelling) throw JobCancelled(fmt::format("{}: {}", job_label(job), job.reason));
}

std::optional<Refusal> why_not(const FleetJob& job, const std::string& slurm_id) {
  if (job.state == JobState::finished)
    return Refusal{true, fmt::format("{} is finished", job_label(job))};
  if (has_ended(job.state))
    return Refusal{false, fmt::format("{} is {} ({}): submit it again to let it go on",
                                      job_label(job), to_string(job.state), job.reason)};
  if (job.cancelling)
    return Refusal{false, fmt::format("{} is being cancelled: {}", job_label(job), job.reason)};
  if (job.state == JobState::running && job.slurm_id != slurm_id)
    return Refusal{false,
                   fmt::format("{} runs elsewhere: as Slurm's job {} on {}, which last reported "
                               "{:.0f} s ago; this is Slurm's job {}",
                               job_label(job), job.slurm_id, job.node,
                               job.silent.value_or(Seconds{0}).count(), slurm_id)};
  return std::nullopt;
}

// What is known after a report. Without a source nobody measured what was spent since the one
// before.
JobRow after(const JobRow& row, const AttemptProgress& progress) {
  JobRow now = row;
  FleetJob& job = now.job;
  job.iterations_done = std::max(job.iterations_done, progress.iterations_done);
  now.spent_mj =
      std::max(row.spent_mj, mj_rounded_up(progress.spent, fmt::format("job {}", job.id)));
  if (progress.source)
    job.source = progress.source;
  else
    now.assumed_mj += now.spent_mj - row.spent_mj;
  job.power = progress.power;
  job.steady = progress.steady;
  return now;
}

SqlValue power_value(const std::optional<Watts>& power) {
  return power ? SqlValue(power->value) : SqlValue{};
}

void write(SqlDatabase& database, const JobRow& row) {
  const FleetJob& job = row.job;
  database.query(fmt::format("UPDATE fleet_job SET iterations_done = ?2, spent_mj = ?3, "
                             "assumed_mj = ?4, source = ?5, power_w = ?6, "
                             "steady_iterations = ?7, steady_mj = ?8, heartbeat_ms = {} "
                             "WHERE id = ?1",
                             now_ms(database.engine())),
                 {job.id, job.iterations_done, row.spent_mj, row.assumed_mj,
                  job.source ? to_string(*job.source) : "", power_value(job.power),
                  job.steady.iterations, nearest_mj(job.steady.energy, job_label(job))});
  database.query(fmt::format("INSERT INTO fleet_sample (job, attempt, at_ms, iterations_done, "
                             "spent_mj, power_w) VALUES (?1, ?2, {}, ?3, ?4, ?5)",
                             now_ms(database.engine())),
                 {job.id, std::int64_t{job.attempt}, job.iterations_done, row.spent_mj,
                  power_value(job.power)});
}

void end_attempt(SqlDatabase& database, const FleetJob& job, JobState state,
                 const std::string& reason) {
  const std::string now = now_ms(database.engine());
  run(database,
      fmt::format("UPDATE fleet_job SET state = ?2, reason = ?3, cancelling = 0, ended_ms = {} "
                  "WHERE id = ?1",
                  has_ended(state) ? now : "0"),
      job.id, to_string(state), reason);
  run(database,
      fmt::format("UPDATE fleet_attempt SET ended_ms = {}, ending = ?3 "
                  "WHERE job = ?1 AND number = ?2",
                  now),
      job.id, std::int64_t{job.attempt},
      state == JobState::submitted ? "suspended" : to_string(state));
}

// An attempt that was running and is no more has spent what it had drawn.
JobRow taken_over(SqlDatabase& database, Ledger& ledger, JobRow row) {
  const std::int64_t drawn_mj =
      nearest_mj(reservation_of(ledger, row.job).drawn, reservation_name(row.job));
  row.assumed_mj += drawn_mj - row.spent_mj;
  row.spent_mj = drawn_mj;
  run(database,
      fmt::format("UPDATE fleet_attempt SET ended_ms = {}, ending = 'died' "
                  "WHERE job = ?1 AND ended_ms = 0",
                  now_ms(database.engine())),
      row.job.id);
  return row;
}

void write_beginning(SqlDatabase& database, const JobRow& row) {
  const FleetJob& job = row.job;
  const std::string now = now_ms(database.engine());
  run(database,
      fmt::format("UPDATE fleet_job SET state = 'running', reason = '', slurm_id = ?2, node = ?3, "
                  "attempt = ?4, spent_mj = ?5, assumed_mj = ?6, heartbeat_ms = {0}, "
                  "started_ms = CASE WHEN started_ms = 0 THEN {0} ELSE started_ms END "
                  "WHERE id = ?1",
                  now),
      job.id, job.slurm_id, job.node, std::int64_t{job.attempt}, row.spent_mj, row.assumed_mj);
  run(database,
      fmt::format("INSERT INTO fleet_attempt (job, number, slurm_id, node, begun_ms, ended_ms, "
                  "ending) VALUES (?1, ?2, ?3, ?4, {}, 0, '')",
                  now),
      job.id, std::int64_t{job.attempt}, job.slurm_id, job.node);
}

}  // namespace

std::variant<Attempt, Refusal> JobTable::begin(std::int64_t id, const std::string& slurm_id,
                                               const std::string& node) {
  std::variant<Attempt, Refusal> result;
  database_->atomically([&] {
    JobRow row = get_job_row(*database_, id);
    if (auto refusal = why_not(row.job, slurm_id)) {
      result = std::move(*refusal);
      return;
    }
    row = taken_over(*database_, ledger_, std::move(row));
    FleetJob& job = row.job;
    job.slurm_id = slurm_id;
    job.node = node;
    job.state = JobState::running;
    ++job.attempt;
    write_beginning(*database_, row);
    const int number = job.attempt;
    result = Attempt{std::move(job), number, from_mj(row.spent_mj)};
  });
  return result;
}

void JobTable::requeued(std::int64_t id, int attempt) {
  database_->atomically(
      [&] {
        const JobRow row = get_job_row(*database_, id);
        const FleetJob& job = row.job;
        if (job.state != JobState::running || job.attempt != attempt) return;
        if (job.cancelling)
          return end_unattended(*database_, ledger_, row, JobState::cancelled, job.reason);
        const JobRow died = taken_over(*database_, ledger_, row);
        run(*database_,
            "UPDATE fleet_job SET state = 'submitted', spent_mj = ?2, assumed_mj = ?3 "
            "WHERE id = ?1",
            id, died.spent_mj, died.assumed_mj);
      },
      kLedgerTurn);
}

Joules JobTable::draw(const Attempt& attempt, Joules in_all) {
  Joules drawn;
  database_->atomically([&] {
    const JobRow row = fenced(*database_, attempt);
    refuse_cancelled(row.job);
    drawn = ledger_.draw(reservation_name(row.job), in_all);
  });
  return drawn;
}

void JobTable::progress(const Attempt& attempt, const AttemptProgress& progress) {
  database_->atomically([&] {
    const JobRow row = fenced(*database_, attempt);
    refuse_cancelled(row.job);
    write(*database_, after(row, progress));
  });
}

void JobTable::suspend(const Attempt& attempt, const AttemptProgress& progress,
                       const std::string& reason) {
  database_->atomically([&] {
    const JobRow row = fenced(*database_, attempt);
    refuse_cancelled(row.job);
    const JobRow now = after(row, progress);
    write(*database_, now);
    ledger_.return_drawn(reservation_name(row.job), from_mj(now.spent_mj));
    end_attempt(*database_, row.job, JobState::submitted, reason);
  });
}

void JobTable::finish(const Attempt& attempt, JobState state, const std::string& reason,
                      const AttemptProgress& progress) {
  if (!has_ended(state) || state == JobState::lost)
    throw Error(ErrorCode::usage, fmt::format("{}: an attempt cannot end {}",
                                              job_label(attempt.job), to_string(state)));
  database_->atomically(
      [&] {
        const JobRow before = get_job_row(*database_, attempt.job.id);
        if (before.job.attempt == attempt.number && before.job.state == state) return;
        const JobRow row = fenced(*database_, attempt);
        const JobRow now = after(row, progress);
        write(*database_, now);
        end_attempt(*database_, row.job, state, reason);
        settle_job(ledger_, now);
      },
      kLedgerTurn);
}

}  // namespace ampere
