// Cells of scores in a store: measured on a rig, network by network, or taken from others.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/progress.h"
#include "ampere/rig.h"
#include "ampere/score.h"
#include "ampere/store.h"

namespace ampere {

// One machine, run one way. Cells of all its delegates belong to one device, whatever the rigs call
// theirs.
struct ScoreTask {
  std::string device, delegate;
  std::vector<Model> networks;
  Precision precision;
  bool afresh = false;  // measures again what is in the store
};

// Returns how many were measured. Each is an observation of a whole network in the profile of the
// rig's device, one sample, inference; what is there, a failure too, is not measured again. Throws
// Error(usage) when the store knows the device as another machine or from others, or a network of
// that name as another one, and Error(interrupted) when asked to stop, with everything kept.
int measure_cells(const ScoreTask& task, Rig& rig, const std::string& rig_name, Store& store,
                  StopToken stop, Listener& listener);

// Cells of others, beside those that are there of their devices; one that is there already is
// replaced. Throws Error(usage) for a device that was measured into this store.
void keep_cells(Store& store, std::span<const ScoreCell> cells);

// All of them, the device first that came first. Of a delegate that was measured under several
// drivers or frameworks those of the latest.
std::vector<ScoreCell> stored_cells(const Store& store);

// What this rig's machine was called when it was scored.
std::optional<std::string> scored_as(const Store& store, const DeviceInfo& device);

}  // namespace ampere
