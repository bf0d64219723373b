// Jobs and accounts of the fleet as JSON.
#pragma once

#include <span>

#include "base/json.h"
#include "fleet/fleet_job.h"
#include "fleet/slurm.h"
#include "ledger/ledger.h"

namespace ampere {

// What Slurm has of the job; nothing where it has nothing.
const SlurmJob* in_queue(const FleetJob& job, std::span<const SlurmJob> queue);

// `queue` is what Slurm has of the fleet; it says why a job waits.
Json jobs_json(std::span<const FleetJob> jobs, std::span<const SlurmJob> queue);
Json accounts_json(std::span<const Account> accounts);

}  // namespace ampere
