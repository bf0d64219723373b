// What one step of an optimizer executes, after its state was made.
#pragma once

#include "ampere/train.h"
#include "lowering/eager.h"
#include "lowering/gradient_scaler.h"

namespace ampere::lowering {

// Weights with the state that the optimizer keeps for them.
struct Trained {
  Tensor weight;
  Tensor first, second;  // momentum, or the two moments of Adam; absent when there are none
  Tensor steps;          // how many, for those that count them on the device
};

// Makes the state: what the optimizer keeps between iterations.
std::vector<Trained> make_trained(Eager& eager, const Tensors& weights, const Setup& setup);

// One step over those weights that have a gradient. The scaler is null in formats that need none.
// Throws Error(usage) when there is a scaler and no gradient.
void update(Eager& eager, const std::vector<Trained>& trained, const Setup& setup,
            const GradientScaler* scaler);

}  // namespace ampere::lowering
