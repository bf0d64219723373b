// Training a network on a device: one framework behind two small interfaces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ampere/model.h"
#include "ampere/units.h"

namespace ampere {

enum class Optimizer { sgd, adam };
const char* to_string(Optimizer optimizer);
Optimizer parse_optimizer(const std::string& text);

// What is repeated: a whole training iteration, one part of it, or what a block does inside a
// network (forward, backward from a random gradient of its output, update). Inference is a forward
// pass without gradients, with batch norm using its running statistics.
enum class Phase { iteration, forward, backward, update, block, inference };
const char* to_string(Phase phase);
Phase parse_phase(const std::string& text);

// What is fixed for a whole profile.
struct Setup {
  std::int64_t batch = 10;
  Optimizer optimizer = Optimizer::sgd;  // sgd has momentum 0.9
  std::string precision = "fp32";
  Phase phase = Phase::iteration;
  friend bool operator==(const Setup&, const Setup&) = default;
};
Setup with_phase(Setup setup, Phase phase);     // the same setup with this phase
Setup inference_setup(std::int64_t batch = 1);  // only the forward pass, no optimizer
// "batch 10, sgd, fp32", "…, backward alone", "batch 1, fp32, inference"
std::string to_string(const Setup& setup);

// The time of one iteration, or of the requested phase of it.
struct StepTimes {
  Seconds device{};  // on the device, when it never waits for the host
  Seconds host{};    // for the host to submit it
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

class Trainer {
 public:
  virtual ~Trainer() = default;
  // Throws Error(failed) when the device runs out of memory, Error(usage) for an unsupported layer.
  virtual std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) = 0;
};

}  // namespace ampere
