// Jobs and accounts of the fleet, as text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/jobs_json.h"

namespace ampere {

// `queue` is what Slurm has of the fleet; it says why a job waits.
void print_jobs(std::span<const FleetJob> jobs, std::span<const SlurmJob> queue);

// "12 of 30 finished, 3 running; 4.2 kJ spent of 9 kJ reserved; 620 W".
std::string jobs_summary(std::span<const FleetJob> jobs);

void print_accounts(std::span<const Account> accounts);

}  // namespace ampere
