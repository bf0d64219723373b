// The report of a list of jobs: what ran where and when, at which power, and what it cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/job_table.h"
#include "ledger/ledger.h"
#include "report/report.h"

namespace ampere {

struct FleetReport {
  std::string list;
  std::vector<FleetJob> jobs;
  std::vector<PowerSample> samples;  // of these jobs, in the order they were taken
  std::vector<Account> accounts;     // that bear them
  std::optional<Watts> cap;          // of the site; absent: nobody keeps one
};

// Throws Error(unknown) when no job has begun yet.
std::string fleet_payload(const ReportHead& head, const FleetReport& report);

}  // namespace ampere
