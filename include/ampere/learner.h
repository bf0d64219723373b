// Training on data in one framework, for whoever holds the meter: what trainer and job are to
// measuring.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ampere/training.h"

namespace ampere {

// Sums over a part of the test set.
struct TestTally {
  std::int64_t labels = 0, right = 0;
  double loss = 0;
};

// A network and its data on the device. Calls return when the device is idle, and throw
// Error(failed) when it cannot go on.
class LearnJob {
 public:
  virtual ~LearnJob() = default;
  virtual std::int64_t batches() const = 0;       // in an epoch: those that are whole
  virtual std::int64_t test_batches() const = 0;  // the last one may be smaller

  // Epochs are counted from 0. The order of the samples, the learning rates and whatever else is
  // drawn depend on the seed and the epoch alone, so that a training that is resumed between two
  // epochs goes on as if it had never stopped.
  virtual void begin_epoch(int epoch) = 0;
  virtual double train(
      int batches) = 0;  // the next ones of the epoch: the sum of their mean losses

  virtual void begin_test() = 0;
  virtual TestTally test(int batches) = 0;  // the next ones of the test set

  virtual Weights weights() const = 0;
  virtual Weights optimizer() const = 0;
};

class Learner {
 public:
  virtual ~Learner() = default;
  // Both throw as Rig's do.
  virtual DataInfo describe(const std::string& data) = 0;
  virtual std::unique_ptr<LearnJob> begin(const TrainingTask& task) = 0;
};

}  // namespace ampere
