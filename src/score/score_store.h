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

// Session::score. Each cell is an observation of a whole network in the profile of the rig's
// device, one sample, inference.
int measure_cells(const ScoreTask& task, Rig& rig, const std::string& rig_name, Store& store,
                  StopToken stop, Listener& listener);

// The functions of the same names of Session.
void keep_cells(Store& store, std::span<const ScoreCell> cells);
std::vector<ScoreCell> stored_cells(const Store& store);
std::optional<std::string> scored_as(const Store& store, const DeviceInfo& device);

}  // namespace ampere
