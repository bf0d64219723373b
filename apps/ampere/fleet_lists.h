// Finding a list of jobs and what belongs to it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fleet/job_table.h"

namespace ampere {

// The list by name or file; without one the latest. Throws Error(unknown) naming the nearest one.
std::string chosen_list(JobTable& table, const std::string& text);

// Only the accounts that bear these jobs.
std::vector<Account> accounts_of(JobTable& table, std::span<const FleetJob> jobs);

}  // namespace ampere
