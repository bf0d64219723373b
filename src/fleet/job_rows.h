// Jobs as rows of the database.
#pragma once

#include <string>
#include <vector>

#include "fleet/fleet_job.h"
#include "sql/sql.h"

namespace ampere {

// A job, and what only the table needs to know.
struct JobRow {
  FleetJob job;
  std::int64_t spent_mj = 0, assumed_mj = 0;  // of the current reservation
};

// `where` is the end of a SELECT: "WHERE id = ?1".
std::vector<JobRow> select_jobs(SqlDatabase& database, const std::string& where,
                                std::vector<SqlValue> values = {});

// Throws Error(unknown) when there is no such job.
JobRow get_job_row(SqlDatabase& database, std::int64_t id);

std::string job_label(const FleetJob& job);  // "job 12 (nightly/cnn5-1)"

// Inserts the jobs that are not there yet, as planned, and returns their names. All belong to this
// list.
std::vector<std::string> insert_jobs(SqlDatabase& database, const std::string& list,
                                     const std::vector<FleetJob>& jobs);

// Throws Error(usage) naming the job for one that nobody could plan or submit.
void check_list_name(const std::string& list);
void check_job(const std::string& list, const FleetJob& job);

}  // namespace ampere
