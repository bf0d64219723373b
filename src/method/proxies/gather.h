// Measuring what baselines are fitted to, within as many seconds as another method had.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "method/method.h"

namespace ampere {

using FitEstimator =
    std::function<std::unique_ptr<Estimator>(std::span<const Observation> observations)>;

// Whole networks in the order given; single layers of them, each in all its phases. What is in the
// store already counts at its cost, so that gathering goes on where it stopped. fitted() is made of
// what was gathered, and of nothing else in the store.
std::unique_ptr<Suggestions> gather_networks(std::span<const Model> networks,
                                             const ProfileOptions& options, const Setup& setup,
                                             FitEstimator fit);
std::unique_ptr<Suggestions> gather_layers(std::span<const Model> networks,
                                           const ProfileOptions& options, const Setup& setup,
                                           FitEstimator fit);

}  // namespace ampere
