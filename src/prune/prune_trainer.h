// Training the networks of a pruning, one after the other, so that nothing trained is lost: each
// has a file in the folder, written after every epoch.
#pragma once

#include <string>

#include "ampere/progress.h"
#include "ampere/prune.h"

namespace ampere {

class PruneTrainer {
 public:
  // Throws Error(usage) when the folder is another task's, Error(permission) when it cannot be
  // written.
  PruneTrainer(const PruneTask& task, Rig& rig, Listener& listener);

  // From these weights, or from new ones when there are none; goes on from the file of this name.
  TrainingResult train(const std::string& name, const Model& model, const Weights& weights,
                       int epochs);
  std::optional<TestScore> test(const Model& model, const Weights& weights);

  Joules spent() const { return spent_; }  // by all that was trained, before this call too

 private:
  TrainingTask task_for(const Model& model, int epochs) const;

  const PruneTask& task_;
  const TrainingPlan& plan_;
  Rig& rig_;
  Listener& listener_;
  Joules spent_{};
};

}  // namespace ampere
