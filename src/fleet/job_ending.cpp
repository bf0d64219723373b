#include "fleet/job_ending.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "ledger/amount.h"
#include "ledger/database_clock.h"

namespace ampere {
namespace {

Settled settled_by(const JobRow& row) {
  if (row.assumed_mj > 0 || !row.job.source) return Settled::assumed;
  switch (*row.job.source) {
    case Source::measured:
      return Settled::measured;
    case Source::modelled:
      return Settled::modelled;
    case Source::simulated:
      return Settled::simulated;
  }
  return Settled::assumed;
}

}  // namespace

ReservationStatus reservation_of(Ledger& ledger, const FleetJob& job) {
  auto status = ledger.find(reservation_name(job));
  if (!status)
    throw Error(ErrorCode::failed, fmt::format("job {} ({}/{}) has no reservation in the ledger",
                                               job.id, job.list, job.name));
  return std::move(*status);
}

void settle_job(Ledger& ledger, const JobRow& row) {
  const std::string name = reservation_name(row.job);
  if (row.spent_mj == 0 && reservation_of(ledger, row.job).drawn.value == 0)
    return ledger.release(name);
  ledger.settle(name, from_mj(row.spent_mj), settled_by(row));
}

void end_unattended(SqlDatabase& database, Ledger& ledger, const JobRow& row, JobState state,
                    const std::string& reason) {
  JobRow ended = row;
  const std::int64_t drawn_mj =
      nearest_mj(reservation_of(ledger, row.job).drawn, reservation_name(row.job));
  ended.assumed_mj += drawn_mj - row.spent_mj;
  ended.spent_mj = drawn_mj;
  const std::string now = now_ms(database.engine());
  run(database,
      fmt::format("UPDATE fleet_job SET state = ?2, reason = ?3, cancelling = 0, spent_mj = ?4, "
                  "assumed_mj = ?5, ended_ms = {} WHERE id = ?1",
                  now),
      row.job.id, to_string(state), reason, ended.spent_mj, ended.assumed_mj);
  run(database,
      fmt::format("UPDATE fleet_attempt SET ended_ms = {}, ending = ?2 "
                  "WHERE job = ?1 AND ended_ms = 0",
                  now),
      row.job.id, to_string(state));
  settle_job(ledger, ended);
}

}  // namespace ampere
