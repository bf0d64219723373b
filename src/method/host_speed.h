// The speed of the host while a profile was taken, and now: by how long a reference network takes
// that was run beside the others.
#pragma once

#include <cstdint>
#include <optional>

#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/method.h"
#include "method/reference_times.h"

namespace ampere {

// The power of the profile's device while it is ready and does nothing, in watts.
std::optional<double> find_ready_w(const Store& store, std::int64_t profile);

// The host while this network was the reference of the profile. Nothing where it has no times, or
// where the power of the device at rest was not measured.
std::optional<UsualHost> usual_host_of(const Store& store, std::int64_t profile,
                                       const ReferenceTimes& times, const Model& reference);

// How many times as long as `usual_s` the reference takes now (slowdown_by): runs it for some
// seconds. Nothing where the rig cannot take its pace.
std::optional<double> look_at_host(Rig& rig, const Model& reference, double usual_s,
                                   const Setup& setup, StopToken stop);

}  // namespace ampere
