#include "fleet/job_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/utc.h"
#include "fleet/fleet_schema.h"
#include "fleet/job_ending.h"
#include "fleet/job_rows.h"
#include "ledger/amount.h"
#include "ledger/database_clock.h"
#include "ledger/turn.h"

namespace ampere {
namespace {

bool is_same(const FleetJob& there, const FleetJob& job) {
  const bool same_energy = there.round > 1 || mj_rounded_up(there.reserved, job.name) ==
                                                  mj_rounded_up(job.reserved, job.name);
  return there.work == job.work && there.kind == job.kind && same_energy;
}

}  // namespace

JobTable::JobTable(std::shared_ptr<SqlDatabase> database)
    : database_(std::move(database)), ledger_(database_) {
  if (database_->writable())
    migrate(*database_, "fleet", fleet_migrations());
  else if (version_of(*database_, "fleet", fleet_migrations()) < fleet_migrations().size())
    throw Error(ErrorCode::unknown,
                fmt::format("{}: has no jobs of a fleet yet", database_->name()));
}

std::vector<FleetJob> JobTable::add(const std::string& list, const std::vector<FleetJob>& jobs) {
  check_list_name(list);
  std::unordered_set<std::string> names;
  for (const FleetJob& job : jobs) {
    check_job(list, job);
    if (!names.insert(job.name).second)
      throw Error(ErrorCode::usage, fmt::format("{}: two jobs are named {}", list, job.name));
  }
  std::vector<FleetJob> added;
  database_->atomically(
      [&] {
        added.clear();
        const std::vector<std::string> inserted = insert_jobs(*database_, list, jobs);
        const std::unordered_set<std::string> fresh(inserted.begin(), inserted.end());
        std::map<std::string, FleetJob> there;
        for (JobRow& row : select_jobs(*database_, "WHERE list = ?1", {list}))
          there[row.job.name] = std::move(row.job);
        std::vector<Reservation> reservations;
        for (const FleetJob& job : jobs) {
          const FleetJob& now = added.emplace_back(there.at(job.name));
          if (fresh.contains(job.name))
            reservations.push_back({reservation_name(now), now.reserved, now.accounts});
          else if (!is_same(now, job))
            throw Error(ErrorCode::failed,
                        fmt::format("{}: there is a job {} already with other work, on another "
                                    "kind of device or with another reservation (it is {}): give "
                                    "the list another name",
                                    list, job.name, to_string(now.state)));
        }
        ledger_.reserve(reservations);
      },
      kLedgerTurn);
  return added;
}

std::vector<FleetJob> JobTable::find(const JobQuery& query) {
  std::string where;
  std::vector<SqlValue> values;
  if (query.list) {
    where = "WHERE list = ?1";
    values.push_back(*query.list);
  }
  if (!query.states.empty()) {
    std::string states;
    for (const JobState state : query.states)
      states += fmt::format("{}'{}'", states.empty() ? "" : ", ", to_string(state));
    where += fmt::format("{} state IN ({})", where.empty() ? "WHERE" : " AND", states);
  }
  std::vector<FleetJob> jobs;
  for (JobRow& row : select_jobs(*database_, where + " ORDER BY id", values))
    jobs.push_back(std::move(row.job));
  return jobs;
}

FleetJob JobTable::get(std::int64_t id) { return get_job_row(*database_, id).job; }

std::vector<JobList> JobTable::lists() {
  std::vector<JobList> lists;
  const auto row =
      rows(*database_,
           "SELECT list, COUNT(*), CAST(SUM(CASE WHEN state IN ('planned', 'submitted', 'running') "
           "THEN 0 ELSE 1 END) AS BIGINT), MIN(added_ms) FROM fleet_job GROUP BY list "
           "ORDER BY MIN(id) DESC");
  while (row->next())
    lists.push_back({row->text(0), row->integer(1), row->integer(2), utc_text(row->integer(3))});
  return lists;
}

std::vector<PowerSample> JobTable::samples(const std::string& list) {
  std::vector<PowerSample> samples;
  const auto row =
      rows(*database_,
           "SELECT job, fleet_sample.attempt, at_ms, fleet_sample.iterations_done, "
           "fleet_sample.spent_mj, fleet_sample.power_w FROM fleet_sample "
           "JOIN fleet_job ON fleet_job.id = fleet_sample.job WHERE list = ?1 ORDER BY number",
           list);
  while (row->next()) {
    PowerSample sample{row->integer(0),           static_cast<int>(row->integer(1)),
                       utc_text(row->integer(2)), row->integer(3),
                       from_mj(row->integer(4)),  {}};
    if (const auto power = row->number(5)) sample.power = Watts{*power};
    samples.push_back(sample);
  }
  return samples;
}

std::chrono::sys_seconds JobTable::now() {
  const auto row = rows(*database_, fmt::format("SELECT {}", now_ms(database_->engine())));
  row->next();
  return std::chrono::floor<std::chrono::seconds>(
      UtcMoment(std::chrono::milliseconds(row->integer(0))));
}

void JobTable::submitted(std::int64_t id, const std::string& slurm_id) {
  database_->atomically([&] {
    const auto row = rows(*database_,
                          "UPDATE fleet_job SET state = 'submitted', slurm_id = ?2 "
                          "WHERE id = ?1 AND state IN ('planned', 'submitted') RETURNING id",
                          id, slurm_id);
    if (row->next()) return;
    const FleetJob job = get_job_row(*database_, id).job;  // it may have been fast
    if (job.state != JobState::running && job.slurm_id != slurm_id)
      throw Error(ErrorCode::failed,
                  fmt::format("{} is {} and cannot be submitted as Slurm's job {}", job_label(job),
                              to_string(job.state), slurm_id));
  });
}

void JobTable::cancel(std::int64_t id, const std::string& reason) {
  database_->atomically(
      [&] {
        const JobRow row = get_job_row(*database_, id);
        if (has_ended(row.job.state)) return;
        if (row.job.state == JobState::running)
          return run(*database_, "UPDATE fleet_job SET cancelling = 1, reason = ?2 WHERE id = ?1",
                     id, reason);
        end_unattended(*database_, ledger_, row, JobState::cancelled, reason);
      },
      kLedgerTurn);
}

void JobTable::lose(std::int64_t id, const std::string& reason) {
  database_->atomically(
      [&] {
        const JobRow row = get_job_row(*database_, id);
        if (has_ended(row.job.state)) return;
        if (row.job.state == JobState::planned)
          throw Error(ErrorCode::failed, fmt::format("{} was never submitted, so it cannot be lost",
                                                     job_label(row.job)));
        end_unattended(*database_, ledger_, row,
                       row.job.cancelling ? JobState::cancelled : JobState::lost,
                       row.job.cancelling ? row.job.reason : reason);
      },
      kLedgerTurn);
}

void JobTable::again(std::int64_t id, Joules most) {
  database_->atomically(
      [&] {
        FleetJob job = get_job_row(*database_, id).job;
        if (!has_ended(job.state) || job.state == JobState::finished)
          throw Error(ErrorCode::failed, fmt::format("{} is {} and cannot be planned again",
                                                     job_label(job), to_string(job.state)));
        ++job.round;
        run(*database_,
            "UPDATE fleet_job SET state = 'planned', reason = '', cancelling = 0, slurm_id = '', "
            "node = '', round = ?2, reserved_mj = ?3, ended_ms = 0, "
            "spent_before_mj = spent_before_mj + spent_mj, "
            "assumed_before_mj = assumed_before_mj + assumed_mj, spent_mj = 0, assumed_mj = 0 "
            "WHERE id = ?1",
            id, std::int64_t{job.round}, mj_rounded_up(most, job_label(job)));
        ledger_.reserve(reservation_name(job), most, job.accounts);
      },
      kLedgerTurn);
}

}  // namespace ampere
