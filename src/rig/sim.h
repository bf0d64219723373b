// Simulated devices: the real measuring protocol over a device that exists only as a law. What they
// answer is called simulated everywhere. The laws are in docs/simulated-devices.md.
#pragma once

#include <memory>
#include <string>

#include "ampere/rig.h"

namespace ampere {

// `name` as in sim_devices(); throws Error(unknown) with the nearest one. The noise of a
// measurement depends on the seed, the network, the setup and how often this rig has measured (or
// rested after) that network before, and on nothing else: not on what was measured in between. The
// same goes for timings among themselves.
std::unique_ptr<Rig> open_sim_rig(const std::string& name, int seed);

// What the law says of one training iteration, before noise, drift and throttling.
Joules sim_true_energy(const std::string& name, const Model& model, const Setup& setup);
Seconds sim_true_time(const std::string& name, const Model& model, const Setup& setup);

}  // namespace ampere
