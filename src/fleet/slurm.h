// Slurm by its command line: sinfo, squeue, scontrol, sbatch and scancel with explicit formats.
// Neither its JSON nor an accounting database is needed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ampere/progress.h"
#include "ampere/units.h"

namespace ampere {

struct SlurmNode {
  std::string name;
  std::string state;  // as sinfo says it: "idle", "allocated", "down*"
  std::vector<std::string> features;
  std::map<std::string, std::int64_t> gres;  // by name, all types together

  // Whether it is there for jobs, now or when others have ended. A node that does not respond, or
  // that is down, drained or kept off, is not.
  bool usable() const;
  bool has(const std::string& feature) const;
};

// A job that is pending or running; Slurm soon forgets those that have ended.
struct SlurmJob {
  std::string id, name, state, reason, nodes;

  // Slurm could not start it, for instance because its daemon on the node was killed just then, and
  // waits for somebody to say that it should try again.
  bool launch_failed() const { return reason.find("launch failed") != std::string::npos; }
};

struct SlurmLicences {
  std::int64_t total = 0, used = 0;
};

struct SlurmRequest {
  std::string name;
  std::string script;      // of a shell, with its first line
  std::string constraint;  // a feature; the job then has a node for itself
  std::string gres;        // or one of these, on a node that others use, too
  std::int64_t watts = 0;  // licences; 0: none
  std::int64_t minutes = 1;
  std::optional<Seconds> begin_in, deadline_in;  // from now
  std::string output;                            // file; Slurm appends
  std::string folder;                            // where it runs; empty: here
  bool exclusive = true;                         // a constraint's node for itself
};

// Every function throws Error(unknown) when Slurm's programs are not there, Error(failed) with what
// they said when its controller does not answer or refuses, and Error(interrupted).
class Slurm {
 public:
  explicit Slurm(StopToken stop = {}) : stop_(stop) {}

  std::vector<SlurmNode> nodes() const;
  // Those whose name begins so, of all users.
  std::vector<SlurmJob> jobs(const std::string& name_prefix) const;
  // Absent when the site has no licences of that name.
  std::optional<SlurmLicences> licences(const std::string& name) const;
  std::string submit(const SlurmRequest& request) const;    // returns the id
  void release(const std::vector<std::string>& ids) const;  // jobs that are held
  // Does nothing for jobs that are not there any more.
  void cancel(const std::vector<std::string>& ids) const;

 private:
  std::string output_of(const std::vector<std::string>& argv, const std::string& input = "") const;

  StopToken stop_;
};

// Whether sinfo is in PATH; only then does it make sense to ask.
bool has_slurm();

inline constexpr const char* kWattLicence = "watts";

}  // namespace ampere
