// How long the host takes for an iteration, on the device itself: the time of the same iteration at
// a batch so small that the device waits for the host.
#pragma once

#include <optional>

#include "ampere/rig.h"

namespace ampere {

// Throws as Rig::measure does.
double look_at_host(Rig& rig, const Model& model, const Setup& setup);

// The script with a small batch; nothing when no argument of it is called "batch".
std::optional<Script> with_small_batch(const Script& script);
std::optional<double> look_at_host(Rig& rig, const Script& script);

Setup with_small_batch(const Setup& setup);

}  // namespace ampere
