// What each job costs on each kind of device, from the profiles in the store.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "fleet/chunks.h"
#include "fleet/fleet_file.h"
#include "fleet/kinds.h"

namespace ampere {

struct JobCost {
  Interval energy_j, time_s;  // of the whole job, by the clock of the device
  // At most, with what executing a job takes beyond its iterations.
  Joules reserved;
  Seconds occupied{},
      occupied_most{};  // by the clock of the cluster: a simulated device may be quicker
  Watts power_most;     // whole watts, since Slurm counts them as licences
  Source source = Source::measured;
  std::string method, profile;
};

// One job on one kind: a cost, or why there is none.
struct CostCell {
  std::optional<JobCost> cost;
  std::string reason;       // when there is none
  bool unprofiled = false;  // the reason: profiling this kind for the network would help
};

struct Costs {
  std::vector<KindNow> kinds;
  std::vector<std::vector<CostCell>> cells;  // [job][kind]
  std::vector<std::string> warnings;         // each once
};

// What executing a job takes beyond its estimate: of a network and of a command.
Overhead job_overhead(bool command, Seconds most, Watts power_most);

// Opens what a job names: a network of the zoo or a file.
using OpenModel = std::function<Model(const std::string&)>;

// Throws Error(unknown) naming the job and the kind for a job that names a kind that there is not,
// and what `open` throws, with the job's name.
Costs cost_jobs(const JobFile& jobs, const FleetFile& fleet, std::vector<KindNow> kinds,
                const DeviceOfKind& devices, const Session& session, const OpenModel& open);

}  // namespace ampere
