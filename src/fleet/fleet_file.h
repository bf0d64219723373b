// The two files of a fleet: which kinds of devices there are, and which jobs to run
// (docs/fleet.md).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "ampere/train.h"
#include "ampere/units.h"
#include "base/json.h"

namespace ampere {

// Devices that are alike: what is measured on one holds for all of them.
struct KindSpec {
  std::string name;
  std::string constraint;     // the feature of their nodes; empty where there is a GRES
  std::string gres;           // one device is one of these on a gateway; usually empty
  std::string rig = "local";  // as seen from the node
  std::string meter = {};     // for commands; empty: the best one there
  std::optional<std::int64_t> count = {};  // absent: as many as Slurm has
};

struct FleetFile {
  std::string path;       // for messages
  double time_scale = 1;  // seconds that pass per second of a simulated device
  std::string program;    // ampere on the nodes; empty: where it is here
  std::string logs;       // folder for the output of jobs; empty: ampere-logs beside the file
  std::vector<KindSpec> kinds;

  const KindSpec& kind(
      const std::string& name) const;  // throws Error(unknown) naming those there are
};

struct JobSpec {
  std::string name;
  std::string model;                 // what is estimated, and trained unless there is a command
  std::vector<std::string> command;  // empty: the model is trained
  Setup setup;
  std::int64_t iterations = 0;
  std::optional<Seconds> begin_after, deadline;  // from now
  std::optional<Joules> budget;
  std::vector<std::string> devices;  // kinds; empty: all
  double confidence = 0.95;
  std::vector<std::string> accounts;
};

struct JobFile {
  std::string path, name;
  std::vector<JobSpec> jobs;
};

// Both throw Error(usage) that names the file, the job or the kind, and the field; unknown keys are
// errors, since a misspelt deadline must not be ignored. The documents are as TOML has them, with
// dates as text.
FleetFile read_fleet_file(const Json& document, const std::string& path);
// Times are relative to `now`; relative paths of models are to the folder of the file.
JobFile read_job_file(const Json& document, const std::string& path, std::chrono::sys_seconds now);

}  // namespace ampere
