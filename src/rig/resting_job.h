// A job that rests as long as it works, in turns of some milliseconds.
#pragma once

#include "ampere/train.h"
#include "rig/clock.h"

namespace ampere {

// One operation alone, called without a break, can draw more than its device may, which then lowers
// its clock; among the others of a network it runs at full clock. With rests the mean power stays
// below the limit. Refers to the job and the clock, which outlive it.
class RestingJob final : public TrainJob {
 public:
  RestingJob(TrainJob& job, Clock& clock) : job_(job), clock_(clock) {}

  void run(int iterations) override;

 private:
  TrainJob& job_;
  Clock& clock_;
  int burst_ = 1;  // iterations between two rests
};

}  // namespace ampere
