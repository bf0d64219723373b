// Simulated devices: the real measuring protocol on a device that is only a cost law. Their answers
// are marked as simulated everywhere. docs/simulated-devices.md describes the laws.
#pragma once

#include <memory>
#include <string>

#include "ampere/rig.h"

namespace ampere {

// `name` is one of sim_devices(); throws Error(unknown) with the most similar one. The noise of a
// measurement depends only on the seed, the network, the setup and how often this rig has measured
// (or idled after) that network before, not on what was measured in between. The same holds for
// timings, and for every operation on its own.
std::unique_ptr<Rig> open_sim_rig(const std::string& name, int seed);

// The cost of one training iteration by the law, without noise, drift and throttling.
Joules sim_true_energy(const std::string& name, const Model& model, const Setup& setup);
Seconds sim_true_time(const std::string& name, const Model& model, const Setup& setup);

}  // namespace ampere
