// Really training a network: one framework behind two small interfaces.
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

// What is run again and again: a whole training iteration, one part of it alone, or what a block
// does inside a network: forward, backward from a random gradient of its output, update. Inference
// is no part of training: forward without gradients, batch norm by its running statistics.
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
Setup with_phase(Setup setup, Phase phase);  // the same but for the phase
Setup inference_setup(std::int64_t batch = 1);  // forward alone, and no optimizer
// "batch 10, sgd, fp32", "…, backward alone", "batch 1, fp32, inference"
std::string to_string(const Setup& setup);

// One iteration (or the phase of it that was asked for), as the device and as the host see it.
struct StepTimes {
  Seconds device{};  // with the device never waiting for the host
  Seconds host{};    // handing it over
};

// Iterations that have come to an end, and how long ago.
struct Completed {
  int iterations = 0;
  Seconds ago{};
};

// A network built and allocated on the device.
class TrainJob {
 public:
  virtual ~TrainJob() = default;
  // Forward, loss, backward, optimizer step, or the one phase of them that was asked for,
  // `iterations` times; returns when the device is idle.
  virtual void run(int iterations) = 0;
  // The same, but returns while the device may still be at work on this call and the one before it,
  // so that it is never without work: tells of the call before those, of no iterations where there
  // is none. Calls follow each other in order, and each is told of once; run() comes to the end of
  // all of them.
  virtual Completed run_ahead(int iterations) {
    run(iterations);
    return {iterations, Seconds{0}};
  }
  // Some milliseconds of iterations, timed by the device itself; the device is idle before and
  // after. Nothing where the device is the host: there any clock tells as much.
  virtual std::optional<StepTimes> time_step() { return std::nullopt; }
};

class Trainer {
 public:
  virtual ~Trainer() = default;
  // Throws Error(failed) when the device runs out of memory, Error(usage) for an unsupported layer.
  virtual std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) = 0;
};

}  // namespace ampere
