// The speed of the host while a profile was taken, and now: by how long a reference network takes
// that was run beside the others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/method.h"

namespace ampere {

// The power of the profile's device while it is ready and does nothing, in watts.
std::optional<double> find_ready_w(const Store& store, std::int64_t profile);

// The host by times of this reference: those that tell its usual speed, and all in their order, of
// which the latest count. Nothing without a usual time, or where the power of the device at rest
// was not measured.
std::optional<UsualHost> usual_host_of(const Store& store, std::int64_t profile,
                                       const Model& reference, std::span<const double> usual_s,
                                       std::span<const double> all_s);

// What a network cost, had the host been as fast as usual: E + P0 (T* − T). The pace must have
// times; `device_s` as of steady_time_s().
struct SteadyCost {
  double energy_j = 0, time_s = 0;
};
SteadyCost steady_cost(const Measurement& measured, const Pace& pace,
                       std::optional<double> device_s, double usual_reference_s, double ready_w);

// How many times as long as `usual_s` the reference takes now (slowdown_by): runs it for some
// seconds. Nothing where the rig cannot take its pace.
std::optional<double> look_at_host(Rig& rig, const Model& reference, double usual_s,
                                   const Setup& setup, StopToken stop);

}  // namespace ampere
