// What the implementations of optimizers have in common.
#pragma once

#include "ampere/train.h"
#include "lowering/eager.h"

namespace ampere::lowering {

constexpr double kLearningRate = 0;  // all the arithmetic of training, and no change
constexpr double kMomentum = 0.9, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

// The weights that have a gradient, with their state.
struct Lists {
  Tensors weights, gradients;
  Tensors first, second;  // momentum, or the two moments of Adam; empty when there are none
  Tensors steps;          // counted on the device; empty when nothing is
};

inline bool is_adam(const Setup& setup) {
  return setup.optimizer == Optimizer::adam || setup.optimizer == Optimizer::adamw;
}

inline double decay_of(const Setup& setup) {
  constexpr double kAdamwDecay = 0.01;
  if (setup.options.weight_decay) return *setup.options.weight_decay;
  return setup.optimizer == Optimizer::adamw ? kAdamwDecay : 0;
}

// Records one call that changes lists of tensors.
inline void change_all(Eager& eager, const char* name, Arguments arguments,
                       Keywords keywords = {}) {
  eager.recorder.record(
      {.name = name, .arguments = std::move(arguments), .keywords = std::move(keywords)});
}

}  // namespace ampere::lowering
