// Pruning a network to an energy budget: search, measure what was found, train it for real.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "ampere/progress.h"
#include "ampere/prune.h"
#include "ampere/widths.h"

namespace ampere {

// What pruning needs of whoever knows methods and profiles.
struct PruneTools {
  // From what the profile knows now; `original` is what the original was measured to cost, where it
  // was.
  std::function<std::unique_ptr<WidthJudge>(std::optional<Joules> original)> judge;
  bool judges_by_original = false;  // in proportion to it: worth waiting until it is measured
  // Trains the network under the meter, and learns from it where the task says so. Empty where no
  // device is at hand.
  std::function<Measurement(const Model& model)> measure;
  Rig* rig = nullptr;  // for training on data; null where no device is at hand
  StopToken stop;
  Listener& listener;
};

// Everything measured is in the store and every epoch trained in the folder before the next begins:
// the same task goes on where it stopped. Throws Error(failed) when no network can be promised to
// keep to the budget, naming the floor and its cause; Error(unknown) when the profile does not know
// the network; Error(usage) when the folder is another task's.
PruneResult prune(const PruneTask& task, const PruneTools& tools);

}  // namespace ampere
