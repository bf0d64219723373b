#include "session/earlier_runs.h"

#include "estimate/lean.h"

namespace ampere {

void lean_on_earlier_runs(const Store& store, const ProfileRow& profile, const Model& network,
                          const Workload& workload, Estimate& estimate) {
  if (!estimate.between_runs) return;
  std::vector<Measurement> runs;
  for (Observation& run : store.find(
           {.profile = profile.id, .purpose = Purpose::network, .model_hash = model_hash(network)}))
    if (run.measurement) runs.push_back(std::move(*run.measurement));
  lean_on(runs, workload, estimate);
}

}  // namespace ampere
