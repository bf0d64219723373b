// A small inference that waits for its host on any device that has one apart. It is run beside the
// networks and kernels of a survey, and shows how fast the host was then, and is now.
#pragma once

#include <cstdint>
#include <optional>

#include "method/method.h"

namespace ampere {

// Fixed: what is stored and recorded was taken against this very network.
Model host_reference();

// The host during the survey; nothing where its pace or the power of the device at rest was not
// taken.
std::optional<UsualHost> host_of_survey(const Store& store, std::int64_t profile);

// How many times as long as during the survey the host takes now; some seconds on the rig. Nothing
// where the survey has no pace, or the rig cannot take one.
std::optional<double> slowdown_since_survey(Rig& rig, const Store& store, std::int64_t profile,
                                            const Setup& setup, StopToken stop);

}  // namespace ampere
