#include <fmt/format.h>

#include <array>

#include "ampere/error.h"
#include "ampere/train.h"
#include "base/text.h"

namespace ampere {

const char* to_string(Optimizer optimizer) { return optimizer == Optimizer::sgd ? "sgd" : "adam"; }

Optimizer parse_optimizer(const std::string& text) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam})
    if (text == to_string(optimizer)) return optimizer;
  const std::array<std::string, 2> names{"sgd", "adam"};
  throw Error(ErrorCode::usage, fmt::format("unknown optimizer '{}'{}; there are sgd and adam",
                                            text, suggestion(text, names)));
}

const char* to_string(Phase phase) {
  switch (phase) {
    case Phase::iteration:
      return "iteration";
    case Phase::forward:
      return "forward";
    case Phase::backward:
      return "backward";
    case Phase::update:
      return "update";
    case Phase::block:
      return "block";
    case Phase::inference:
      return "inference";
  }
  return "iteration";
}

Phase parse_phase(const std::string& text) {
  for (const Phase phase : {Phase::iteration, Phase::forward, Phase::backward, Phase::update,
                            Phase::block, Phase::inference})
    if (text == to_string(phase)) return phase;
  throw Error(ErrorCode::usage, fmt::format("unknown phase '{}'; there are iteration, forward, "
                                            "backward, update, block and inference",
                                            text));
}

Setup with_phase(Setup setup, Phase phase) {
  setup.phase = phase;
  return setup;
}

Setup inference_setup(std::int64_t batch) {
  Setup setup;
  setup.batch = batch;
  setup.phase = Phase::inference;
  return setup;
}

std::string to_string(const Setup& setup) {
  if (setup.phase == Phase::inference)
    return fmt::format("batch {}, {}, inference", setup.batch, setup.precision);
  return fmt::format(
      "batch {}, {}, {}{}", setup.batch, to_string(setup.optimizer), setup.precision,
      setup.phase == Phase::iteration ? "" : fmt::format(", {} alone", to_string(setup.phase)));
}

}  // namespace ampere
