// Training a network on a data set until it can do something, with the meter running.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/meter.h"
#include "ampere/train.h"
#include "ampere/weights.h"

namespace ampere {

// A data set as the device's machine sees it: "idx:DIR", "cifar:DIR", "npy:DIR", a folder whose
// files say which of these it is, or "fashion-mnist" (docs/data-sets.md).
struct DataInfo {
  TensorShape sample;
  std::int64_t classes = 0, training_samples = 0, test_samples = 0;
};

struct TestScore {  // over the whole test set
  double loss = 0, accuracy = 0;
};

struct TrainingEpoch {
  double loss = 0;                // of training, on average
  std::optional<TestScore> test;  // after it; none where the energy did not allow it
  std::int64_t iterations = 0;    // fewer than the others' where the energy ended
  Seconds time{}, test_time{};
  Joules energy{}, test_energy{};
};

// Everything that is needed to go on: after a kill, on another day, with other data.
struct TrainingState {
  Weights weights;                    // none: drawn by the task's seed
  Weights optimizer;                  // momentum and the like, by the same names; none at the start
  std::vector<TrainingEpoch> epochs;  // that have been trained

  Joules energy() const;  // of all epochs, testing included
};

struct TrainingTask {
  Model model;
  Setup setup;
  std::string data;
  int epochs = 1;                 // in all, those of `from` included; 0: only tests
  double learning_rate = 0.05;    // at the start; falls to 0 along a half cosine
  unsigned seed = 0;              // of the weights and of the order of the samples
  std::optional<Joules> stop_at;  // for all epochs, testing included: never exceeded
  TrainingState from;
};

struct TrainingResult {
  TrainingState state;            // after the last epoch, or where the energy ended
  std::optional<TestScore> test;  // of these weights; none where the energy did not allow it
  std::string stopped;            // why there is less than was asked for; empty when there is not
  Joules energy{};                // of this call alone, testing included
  Source source = Source::measured;
};

struct TrainingProgress {
  int epoch = 1, epochs = 1;
  double share = 0;  // of this epoch
  double loss = 0;
  std::optional<TestScore> test;  // after the epoch before
  Joules energy{};                // of all epochs so far
};

struct TrainingListener {
  std::function<void(const TrainingProgress&)> progress;
  std::function<void(const TrainingState&)> epoch;  // to be kept: a checkpoint
};

// A state as text that `parse_training_state` reads back exactly. Throws Error(usage) naming the
// origin and the field.
std::string to_text(const TrainingState& state);
TrainingState parse_training_state(std::string_view text, const std::string& origin);

// A state in a file: the old one, or the new one whole, whenever the machine stops. Saving throws
// Error(usage) where there is no such folder, Error(permission) or Error(failed) when the disk
// refuses, loading Error(unknown) when there is no
// such file and Error(usage) when it is something else or was cut off.
void save_training(const std::string& path, const TrainingState& state);
TrainingState load_training(const std::string& path);

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
