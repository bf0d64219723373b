#include "fleet/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ampere/error.h"
#include "fleet/job_work.h"

namespace ampere {
namespace {

// Time that Slurm and the program take to start a job, by the clock of the cluster.
constexpr Seconds kStarting{1};

// An interval as a cost; nothing with a reason where it is none to plan by.
CostCell cost_of(const Answer& answer, bool command, double time_scale) {
  const Estimate& estimate = answer.estimate;
  if (!estimate.uncovered.empty())
    return {{},
            fmt::format("its layer {} is not covered by the profile: {}",
                        estimate.uncovered.front().layer, estimate.uncovered.front().reason),
            true};
  if (!estimate.energy_j || !estimate.time_s)
    return {{}, "the profile tells no energy or no time for it", true};
  if (estimate.time_s->low <= 0 || estimate.energy_j->high <= 0)
    return {{},
            "what was measured scatters too much to bound its power; profile it again while "
            "nothing else runs",
            true};
  JobCost cost;
  cost.energy_j = *estimate.energy_j;
  cost.time_s = *estimate.time_s;
  cost.power_most = {std::ceil(cost.energy_j.high / cost.time_s.low)};
  const Overhead overhead = job_overhead(command, Seconds(cost.time_s.high), cost.power_most);
  cost.reserved = Joules{cost.energy_j.high} + overhead.energy;
  cost.occupied = Seconds(cost.time_s.mean * time_scale) + kStarting;
  cost.occupied_most = (Seconds(cost.time_s.high) + overhead.time) * time_scale + kStarting;
  cost.source = estimate.source;
  cost.method = answer.method;
  cost.profile = fmt::format("{}", answer.profile.row.id);
  return {cost, ""};
}

class Costing {
 public:
  Costing(const FleetFile& fleet, const DeviceOfKind& devices, const Session& session,
          const OpenModel& open)
      : fleet_(fleet), devices_(devices), session_(session), open_(open) {}

  // Jobs that are alike are estimated once.
  const CostCell& cell(const JobSpec& job, const KindNow& kind) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", kind.spec.name, job.model, to_string(job.setup),
                    job.iterations, job.confidence, job.command.empty());
    const auto known = cells_.find(key);
    return known != cells_.end() ? known->second
                                 : cells_.emplace(key, estimate(job, kind.spec)).first->second;
  }

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  CostCell estimate(const JobSpec& job, const KindSpec& kind) {
    const auto query = profile_query(kind, devices_, job.setup);
    if (!query) return {{}, "no device of this kind was profiled yet", true};
    const Workload workload{job.iterations, job.confidence};
    try {
      const Answer answer = session_.estimate(model(job), *query, workload);
      for (const std::string& warning : answer.estimate.warnings) warn(kind.name, warning);
      const bool simulated = kind.rig.starts_with("sim:");
      return cost_of(answer, !job.command.empty(), simulated ? fleet_.time_scale : 1);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unknown) throw;
      return {{}, error.what(), true};
    }
  }

  const Model& model(const JobSpec& job) {
    const auto known = models_.find(job.model);
    if (known != models_.end()) return known->second;
    try {
      return models_.emplace(job.model, open_(job.model)).first->second;
    } catch (const Error& error) {
      throw error.saying(fmt::format("job '{}': {}", job.name, error.what()));
    }
  }

  void warn(const std::string& kind, const std::string& warning) {
    const std::string text = fmt::format("{}: {}", kind, warning);
    if (std::ranges::find(warnings_, text) == warnings_.end()) warnings_.push_back(text);
  }

  const FleetFile& fleet_;
  const DeviceOfKind& devices_;
  const Session& session_;
  const OpenModel& open_;
  std::map<std::string, CostCell> cells_;
  std::map<std::string, Model> models_;
  std::vector<std::string> warnings_;
};

void check_devices(const JobFile& jobs, const FleetFile& fleet) {
  for (const JobSpec& job : jobs.jobs)
    for (const std::string& device : job.devices) try {
        fleet.kind(device);
      } catch (const Error& error) {
        throw error.saying(fmt::format("{}: job '{}': {}", jobs.path, job.name, error.what()));
      }
}

}  // namespace

Overhead job_overhead(bool command, Seconds most, Watts power_most) {
  return command ? command_overhead(JobWork{}.checkpoint_grace, power_most)
                 : execution_overhead(most, power_most);
}

Costs cost_jobs(const JobFile& jobs, const FleetFile& fleet, std::vector<KindNow> kinds,
                const DeviceOfKind& devices, const Session& session, const OpenModel& open) {
  check_devices(jobs, fleet);
  Costs costs;
  costs.kinds = std::move(kinds);
  Costing costing(fleet, devices, session, open);
  for (const JobSpec& job : jobs.jobs) {
    std::vector<CostCell>& row = costs.cells.emplace_back();
    for (const KindNow& kind : costs.kinds) {
      const bool wanted = job.devices.empty() ||
                          std::ranges::find(job.devices, kind.spec.name) != job.devices.end();
      if (!wanted)
        row.push_back({{}, "the job does not name it"});
      else if (kind.count == 0)
        row.push_back({{}, "no node of this kind is up"});
      else
        row.push_back(costing.cell(job, kind));
    }
  }
  costs.warnings = costing.warnings();
  return costs;
}

}  // namespace ampere
