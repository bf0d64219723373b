// Training a network on a device: iterations alone, to measure them, and on a data set, to learn.
// The framework is behind two small interfaces for each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/meter.h"
#include "ampere/model.h"
#include "ampere/units.h"

namespace ampere {

enum class Optimizer { sgd, plain_sgd, adam, adamw };  // sgd has momentum 0.9, plain_sgd has none
const char* to_string(Optimizer optimizer);
Optimizer parse_optimizer(const std::string& text);

// "fp32" (the framework's defaults), "tf32", "bf16", "fp16". Throws Error(usage) for another text.
const std::string& parse_number_format(const std::string& text);

// What is repeated: a whole training iteration, one part of it, or what a block does inside a
// network (forward, backward from a random gradient of its output, update). Inference is a forward
// pass without gradients, with batch norm using its running statistics.
enum class Phase { iteration, forward, backward, update, block, inference };
const char* to_string(Phase phase);
Phase parse_phase(const std::string& text);

// How a step is run apart from its batch, optimizer and number format. The defaults are what the
// framework does unless it is told otherwise.
struct StepOptions {
  std::optional<double> weight_decay;  // absent: the optimizer's default, 0.01 for adamw, else 0
  bool fused = false;                  // the fused implementation of the optimizer
  bool plain_attention = false;  // matrix products and softmax where fused attention is the default
  bool compiled = false;         // by the framework's compiler
  bool channels_last = false;    // the order of images in memory
  std::int64_t accumulation = 1;  // micro-batches, of Setup::batch samples each, per update
  friend bool operator==(const StepOptions&, const StepOptions&) = default;
};

// What is fixed for a whole profile.
struct Setup {
  std::int64_t batch = 10;
  Optimizer optimizer = Optimizer::sgd;
  std::string precision = "fp32";  // the number format
  Phase phase = Phase::iteration;
  StepOptions options = {};
  friend bool operator==(const Setup&, const Setup&) = default;
};
Setup with_phase(Setup setup, Phase phase);     // the same setup with this phase
Setup inference_setup(std::int64_t batch = 1);  // only the forward pass, no optimizer
// "batch 10, sgd, fp32", "…, compiled, backward alone", "batch 1, fp32, inference"
std::string to_string(const Setup& setup);

// The setups that a trainer can run, by the words of setups in JSON. By default those that every
// runner knows.
struct SetupRange {
  std::vector<std::string> precisions{"fp32"};
  std::vector<std::string> optimizers{"sgd", "adam"};
  std::vector<std::string> options;  // "weight_decay", "fused", "attention", "compile", …
};
SetupRange every_setup();
// What of the setup is not in the range, and what there is instead: "train in bf16 (there is
// fp32)". Empty when all of it is.
std::string missing_from(const SetupRange& range, const Setup& setup);

// The time of one iteration, or of the requested phase of it.
struct StepTimes {
  Seconds device{};  // on the device, when it never waits for the host
  Seconds host{};    // for the host to submit it
};

// A training step that a user wrote: a function of a file builds it (docs/python.md).
struct Script {
  std::string path, function;
  std::string arguments = "{}";  // of the function, by name: a JSON object
  bool data = false;  // take batches from the script's own data loader, not one again and again
};

// What a script says about its step.
struct ScriptInfo {
  std::string name;
  std::optional<std::int64_t> batch, parameters;
  bool has_data = false;  // there is a data loader
  std::vector<std::string> notes;
};

// Iterations that have finished, and how long ago.
struct Completed {
  int iterations = 0;
  Seconds ago{};
};

// A network built and allocated on the device.
class TrainJob {
 public:
  virtual ~TrainJob() = default;
  // Runs forward, loss, backward and optimizer step, or only the requested phase, `iterations`
  // times. Returns when the device is idle.
  virtual void run(int iterations) = 0;
  // The same, but returns while the device may still be working on this call and the previous one,
  // so that it never runs out of work. Reports on the call before those two, with no iterations
  // when there is none. Every call is reported once, in order. run() waits for all of them.
  virtual Completed run_ahead(int iterations) {
    run(iterations);
    return {iterations, Seconds{0}};
  }
  // Times a few milliseconds of iterations by the clock of the device, which is idle before and
  // after. Returns nothing on a CPU, where wall-clock time is enough.
  virtual std::optional<StepTimes> time_step() { return std::nullopt; }
};

class Tracer;
struct ScriptRequest;
struct OperationRequest;  // all three in ampere/rig.h

class Trainer {
 public:
  virtual ~Trainer() = default;
  // Throws Error(failed) when the device runs out of memory, Error(usage) for an unsupported layer.
  virtual std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) = 0;
  virtual SetupRange setups() const { return {}; }

  struct ScriptJob {
    std::unique_ptr<TrainJob> job;
    ScriptInfo info;
  };
  // The precision of the request is the caller's matter. Throws Error(usage) when this trainer runs
  // no scripts or there is no such function, and Error(failed) with the traceback when the script
  // fails.
  virtual ScriptJob prepare_script(const ScriptRequest& request);
  virtual bool runs_scripts() const { return false; }

  // Each iteration is one call of the operation. The precision of the request is the caller's
  // matter. Throws Error(usage) when this trainer repeats no operations, and Error(failed) when
  // there is no such operation, or when its tensors do not fit into memory.
  virtual std::unique_ptr<TrainJob> prepare_operation(const OperationRequest& request);
  virtual bool repeats_operations() const { return false; }

  // Owned by the trainer (ampere/rig.h). Null when its framework cannot be traced.
  virtual Tracer* tracer() { return nullptr; }
};

// What a data set contains. It is on the machine of the device and named "idx:DIR", "cifar:DIR",
// "npy:DIR", by a folder whose files show which of these it is, or "fashion-mnist"
// (docs/data-sets.md).
struct DataInfo {
  TensorShape sample;
  std::int64_t classes = 0, training_samples = 0, test_samples = 0;
};

struct TestScore {  // over the whole test set
  double loss = 0, accuracy = 0;
};

struct TrainingEpoch {
  double loss = 0;                // mean training loss
  std::optional<TestScore> test;  // after the epoch; absent when there was no energy left for it
  std::int64_t iterations = 0;    // fewer than in other epochs when the energy ran out
  Seconds time{}, test_time{};
  Joules energy{}, test_energy{};
};

// Everything that is needed to resume: after a crash, on another day, or with other data.
struct TrainingState {
  Weights weights;                    // empty: drawn from the seed of the task
  Weights optimizer;                  // its state, such as momentum; empty at the start
  std::vector<TrainingEpoch> epochs;  // those that have been trained

  Joules energy() const;  // of all epochs, testing included
};

struct TrainingTask {
  Model model;
  Setup setup;
  std::string data;
  int epochs = 1;                 // in total, including those of `from`; 0: only test
  double learning_rate = 0.05;    // at the start; falls to 0 along half a cosine
  unsigned seed = 0;              // for the weights and the order of the samples
  std::optional<Joules> stop_at;  // never exceeded, by all epochs together, testing included
  TrainingState from;
};

struct TrainingResult {
  TrainingState state;            // after the last epoch, or when the energy ran out
  std::optional<TestScore> test;  // of these weights; absent when there was no energy left for it
  std::string stopped;            // why training ended early; empty when it did not
  Joules energy{};                // used by this call, testing included
  Source source = Source::measured;
};

struct TrainingProgress {
  int epoch = 1, epochs = 1;
  double share = 0;  // of this epoch that is done
  double loss = 0;
  std::optional<TestScore> test;  // after the previous epoch
  Joules energy{};                // used by all epochs so far
};

struct TrainingListener {
  std::function<void(const TrainingProgress&)> progress;
  std::function<void(const TrainingState&)> epoch;  // after each epoch: a checkpoint to keep
};

// A state as text that parse_training_state reads back exactly. Parsing throws Error(usage) that
// names the origin and the field.
std::string to_text(const TrainingState& state);
TrainingState parse_training_state(std::string_view text, const std::string& origin);

// A state in a file. Whenever the machine stops, the file holds either the old state or the whole
// new one. Saving throws Error(usage) when there is no such folder and Error(permission) or
// Error(failed) when the file cannot be written. Loading throws Error(unknown) when there is no
// such file and Error(usage) when it is something else or was cut off.
void save_training(const std::string& path, const TrainingState& state);
TrainingState load_training(const std::string& path);

// Sums over part of the test set.
struct TestTally {
  std::int64_t labels = 0, right = 0;
  double loss = 0;
};

// A network and its data on the device. All calls return when the device is idle and throw
// Error(failed) when training cannot go on.
class LearnJob {
 public:
  virtual ~LearnJob() = default;
  virtual std::int64_t batches() const = 0;       // full batches per epoch
  virtual std::int64_t test_batches() const = 0;  // the last one may be smaller

  // Epochs are counted from 0. The order of the samples, the learning rates and everything random
  // depend only on the seed and the epoch, so a training that is resumed between two epochs
  // continues as if it had never stopped.
  virtual void begin_epoch(int epoch) = 0;
  // Trains on the next batches of the epoch. Returns the sum of their mean losses.
  virtual double train(int batches) = 0;

  virtual void begin_test() = 0;
  virtual TestTally test(int batches) = 0;  // on the next batches of the test set

  virtual Weights weights() const = 0;
  virtual Weights optimizer() const = 0;
};

class Learner {
 public:
  virtual ~Learner() = default;
  // Both throw as Rig::describe_data and Rig::train do.
  virtual DataInfo describe(const std::string& data) = 0;
  virtual std::unique_ptr<LearnJob> begin(const TrainingTask& task) = 0;
};

}  // namespace ampere
