// What the iterations of a chunk take by themselves.
#pragma once

#include <optional>

#include "ampere/rig.h"
#include "fleet/fleet_job.h"

namespace ampere {

// Hears what a rig reports while it works on one chunk. Building the network comes before the first
// report and waiting for the meter after the last one, so between two reports there is nothing but
// training: that is what a profile predicts.
class SteadyReports {
 public:
  void hear(const WorkDone& so_far) {
    if (count_++ == 0) return;  // the meter may still show what came before the training
    if (!from_) from_ = so_far;
    to_ = so_far;
  }

  // From the second report to the last one; nothing when there are fewer than three.
  SteadyWork work() const {
    if (!from_) return {};
    return {to_.iterations - from_->iterations, to_.energy - from_->energy};
  }

 private:
  int count_ = 0;
  std::optional<WorkDone> from_;
  WorkDone to_;
};

}  // namespace ampere
