// The end of a job and of its reservation.
#pragma once

#include "fleet/job_rows.h"
#include "ledger/ledger.h"

namespace ampere {

// Ends a job whose executor says nothing more: what it had drawn counts as spent. Inside a
// transaction.
void end_unattended(SqlDatabase& database, Ledger& ledger, const JobRow& row, JobState state,
                    const std::string& reason);

// Ends the reservation of a job with what it has spent and assumed of it, which are in the row
// already.
void settle_job(Ledger& ledger, const JobRow& row);

// What the ledger knows of the job's current reservation.
ReservationStatus reservation_of(Ledger& ledger, const FleetJob& job);

}  // namespace ampere
