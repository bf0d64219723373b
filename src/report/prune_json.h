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

}  // namespace ampere
