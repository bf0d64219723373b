// Really training a network: one framework behind two small interfaces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ampere/model.h"
#include "ampere/units.h"

namespace ampere {

enum class Optimizer { sgd, adam };
const char* to_string(Optimizer optimizer);
Optimizer parse_optimizer(const std::string& text);

// What is run again and again: a whole training iteration, or one part of it alone.
enum class Phase { iteration, forward, backward, update };
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
std::string to_string(const Setup& setup);  // "batch 10, sgd, fp32", "…, backward alone"

// A network built and allocated on the device.
class TrainJob {
 public:
  virtual ~TrainJob() = default;
  // Forward, loss, backward, optimizer step, or the one phase of them that was asked for,
  // `iterations` times; returns when the device is idle.
  virtual void run(int iterations) = 0;
};

class Trainer {
 public:
  virtual ~Trainer() = default;
  // Throws Error(failed) when the device runs out of memory, Error(usage) for an unsupported layer.
  virtual std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) = 0;
};

}  // namespace ampere
