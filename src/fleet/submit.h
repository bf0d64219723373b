// Handing jobs of the table to Slurm, and finding out what became of them.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "fleet/fleet_file.h"
#include "fleet/job_table.h"
#include "fleet/slurm.h"

namespace ampere {

// The name under which Slurm knows a job: "ampere-nightly-12". It makes submitting idempotent.
std::string slurm_name(const FleetJob& job);
inline constexpr const char* kSlurmPrefix = "ampere-";

struct SubmitOptions {
  std::string store;       // URL that the node opens
  std::string program;     // ampere on the nodes
  std::string logs;        // folder, made when it is not there
  bool with_watts = true;  // the site has licences for power
  Seconds silence{60};     // see reconcile()
  std::chrono::sys_seconds now{};
};

struct Submitted {
  std::int64_t submitted = 0;      // now
  std::int64_t again = 0;          // of these, those of died_on_the_way() that go on
  std::vector<FleetJob> too_late;  // cannot end before their deadlines any more; not submitted
};

// Whether a job did not end by itself: it is lost, or it was stopped because attempts of it had
// died and all that they had drawn counted as spent.
bool died_on_the_way(JobTable& table, const FleetJob& job);

// Hands every planned job of the list to Slurm, and every one that died on the way once more, in
// the order of their ids. May be interrupted anywhere and called again: a job that Slurm has
// already is found there by its name, and one that Slurm holds because it could not start it is
// released. What Slurm still has of a job that has ended is cancelled. Throws Error(failed) naming
// the job that Slurm refuses; those before it are submitted.
Submitted submit_list(JobTable& table, const Slurm& slurm, const FleetFile& fleet,
                      const std::string& list, const SubmitOptions& options);

struct Reconciled {
  std::vector<FleetJob> lost;
  std::vector<SlurmJob> queue;  // of the fleet, as Slurm has it
};

// Compares the table with Slurm's queue. A job that is submitted or running and that Slurm no
// longer has is lost; a running one only after it was silent for so long. What it had drawn counts
// as spent. A running job that is as silent and that Slurm has queued again is submitted. A job
// that Slurm has although the table does not know is entered.
Reconciled reconcile(JobTable& table, const Slurm& slurm, Seconds silence,
                     const std::string& list = "");

}  // namespace ampere
