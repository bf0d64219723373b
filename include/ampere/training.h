// Training a network on a data set until it can do something, with the meter running.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ampere/meter.h"
#include "ampere/train.h"
#include "ampere/weights.h"

namespace ampere {

// A data set as the device's machine sees it: "idx:DIR", "cifar:DIR", "npy:DIR", or a folder whose
// files say which of these it is.
struct DataInfo {
  TensorShape sample;
  std::int64_t classes = 0, training_samples = 0, test_samples = 0;
};

struct TestScore {  // over the whole test set
  double loss = 0, accuracy = 0;
};

struct TrainingEpoch {
  double loss = 0;  // of training, on average
  TestScore test;   // after it
  std::int64_t iterations = 0;
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
  TrainingState state;  // after the last whole epoch, or where the energy ended
  TestScore test;       // of these weights
  std::string stopped;  // why there are fewer epochs than asked for; empty when there are not
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

}  // namespace ampere
