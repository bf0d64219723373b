// How long the host takes for an iteration, on the device itself: the time of the same iteration at
// a batch so small that the device waits for the host.
#pragma once

#include <optional>

#include "ampere/rig.h"

namespace ampere {

inline constexpr std::int64_t kSmallBatch = 2;  // samples

// The time of an iteration at a small batch, if the device cannot have been what it waited for:
// `device_s` is how long the device needs for the whole program.
std::optional<double> host_alone(const std::optional<double>& small_s, const Program& program,
                                 double device_s);

// Whether an iteration of this time waits for the host: the device alone needs `device_s`.
bool waits_for_host(double time_s, double device_s);

Precision host_precision();  // of such a measurement, which need not be precise

// Throws as Rig::measure does.
double look_at_host(Rig& rig, const Model& model, const Setup& setup);

// The script with a small batch; nothing when no argument of it is called "batch".
std::optional<Script> with_small_batch(const Script& script);
std::optional<double> look_at_host(Rig& rig, const Script& script);

Setup with_small_batch(const Setup& setup);

}  // namespace ampere
