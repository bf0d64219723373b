// A pruned network as JSON.
#pragma once

#include <optional>
#include <string>

#include "ampere/prune.h"
#include "ampere/store.h"
#include "base/json.h"

namespace ampere {

struct PruneReport {
  std::string model;  // as the user wrote it
  PruneTask task;
  ProfileRow profile;
  PruneResult result;
};

Json prune_json(const PruneReport& report);

// After its training, or as it was inherited; nothing where it was never tested.
std::optional<TestScore> final_score(const PrunedNetwork& network);

// Of the original's energy: measured of measured, else estimated of estimated.
double share_of_original(const PrunedNetwork& network, const PrunedNetwork& original);

// The share of the budget that the pruned network leaves; negative when it is over it.
double unused_share(const PruneResult& result);

// What all iterations of a training used, testing apart, and what its network was estimated to use
// for as many. training_energy() returns nothing if the network was not trained, or if its training
// stopped before the first iteration.
struct TrainingEnergy {
  std::int64_t iterations = 0;
  Joules used{}, estimated{};
};
std::optional<TrainingEnergy> training_energy(const PrunedNetwork& network);

}  // namespace ampere
