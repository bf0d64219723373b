// Measuring a whole network for real, and keeping the observation.
#pragma once

#include "ampere/rig.h"
#include "ampere/store.h"

namespace ampere {

// Whether the profile's dual model is fitted to it, and to its blocks timed alone, from now on.
enum class Learning { yes, no };

// A failure is stored too, then rethrown.
Measurement measure_whole_network(const Model& model, Rig& rig, const std::string& rig_name,
                                  Store& store, const Setup& setup, const Precision& precision,
                                  Learning learning);

}  // namespace ampere
