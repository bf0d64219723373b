#include "report/jobs_json.h"

#include <algorithm>

namespace ampere {

const SlurmJob* in_queue(const FleetJob& job, std::span<const SlurmJob> queue) {
  const auto found = std::ranges::find(queue, job.slurm_id, &SlurmJob::id);
  return found == queue.end() ? nullptr : &*found;
}

Json jobs_json(std::span<const FleetJob> jobs, std::span<const SlurmJob> queue) {
  Json list = Json::array();
  for (const FleetJob& job : jobs) {
    const SlurmJob* slurm = in_queue(job, queue);
    list.push_back(
        {{"id", job.id},
         {"list", job.list},
         {"name", job.name},
         {"device", job.kind},
         {"state", to_string(job.state)},
         {"reason", job.reason},
         {"slurm_id", job.slurm_id},
         {"slurm_state", slurm != nullptr ? Json(slurm->state) : Json(nullptr)},
         {"slurm_reason", slurm != nullptr ? Json(slurm->reason) : Json(nullptr)},
         {"node", job.node},
         {"attempt", job.attempt},
         {"round", job.round},
         {"iterations", job.iterations},
         {"iterations_done", job.iterations_done},
         {"estimated_j",
          {{"mean", job.energy_j.mean}, {"low", job.energy_j.low}, {"high", job.energy_j.high}}},
         {"reserved_j", job.reserved.value},
         {"spent_j", job.spent.value},
         {"assumed_j", job.assumed.value},
         {"source", job.source ? Json(to_string(*job.source)) : Json(nullptr)},
         {"power_w", job.power ? Json(job.power->value) : Json(nullptr)},
         {"power_most_w", job.power_most.value},
         {"started_at", job.started_at},
         {"ended_at", job.ended_at}});
  }
  return list;
}

Json accounts_json(std::span<const Account> accounts) {
  Json list = Json::array();
  for (const Account& account : accounts)
    list.push_back({{"account", account.name},
                    {"granted_j", account.granted.value},
                    {"reserved_j", account.reserved.value},
                    {"spent_j", account.spent.value},
                    {"free_j", account.free().value}});
  return list;
}

}  // namespace ampere
