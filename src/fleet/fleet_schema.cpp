#include "fleet/fleet_schema.h"

#include <array>

namespace ampere {
namespace {

// Amounts: spent_mj and assumed_mj belong to the current reservation, …_before_mj to earlier ones.
// Times are those of the database, 0 when there is none yet.
constexpr const char* kTables = R"(
CREATE TABLE fleet_job (
  id $ID,
  list TEXT NOT NULL, name TEXT NOT NULL,
  work TEXT NOT NULL, kind TEXT NOT NULL,
  energy_j $REAL NOT NULL, energy_low_j $REAL NOT NULL, energy_high_j $REAL NOT NULL,
  time_s $REAL NOT NULL, time_low_s $REAL NOT NULL, time_high_s $REAL NOT NULL,
  confidence $REAL NOT NULL, power_most_w $REAL NOT NULL,
  reserved_mj BIGINT NOT NULL, accounts TEXT NOT NULL,
  begin_at TEXT, deadline TEXT,
  state TEXT NOT NULL, reason TEXT NOT NULL, cancelling BIGINT NOT NULL,
  slurm_id TEXT NOT NULL, node TEXT NOT NULL,
  round BIGINT NOT NULL, attempt BIGINT NOT NULL,
  iterations BIGINT NOT NULL, iterations_done BIGINT NOT NULL,
  spent_mj BIGINT NOT NULL, assumed_mj BIGINT NOT NULL,
  spent_before_mj BIGINT NOT NULL, assumed_before_mj BIGINT NOT NULL,
  source TEXT NOT NULL, power_w $REAL,
  added_ms BIGINT NOT NULL, started_ms BIGINT NOT NULL, ended_ms BIGINT NOT NULL,
  heartbeat_ms BIGINT NOT NULL,
  UNIQUE (list, name));
CREATE TABLE fleet_attempt (
  job BIGINT NOT NULL, number BIGINT NOT NULL,
  slurm_id TEXT NOT NULL, node TEXT NOT NULL,
  begun_ms BIGINT NOT NULL, ended_ms BIGINT NOT NULL, ending TEXT NOT NULL,
  PRIMARY KEY (job, number));
CREATE TABLE fleet_sample (
  number $ID,
  job BIGINT NOT NULL, attempt BIGINT NOT NULL, at_ms BIGINT NOT NULL,
  iterations_done BIGINT NOT NULL, spent_mj BIGINT NOT NULL, power_w $REAL);
CREATE INDEX fleet_sample_of_job ON fleet_sample (job);
)";

// Of the iterations that were measured without anything else around them.
constexpr const char* kSteadyWork = R"(
ALTER TABLE fleet_job ADD COLUMN steady_iterations BIGINT NOT NULL DEFAULT 0;
ALTER TABLE fleet_job ADD COLUMN steady_mj BIGINT NOT NULL DEFAULT 0;
)";

}  // namespace

Migrations fleet_migrations() {
  static const std::array<Migration, 2> kMigrations{running(kTables), running(kSteadyWork)};
  return kMigrations;
}

}  // namespace ampere
