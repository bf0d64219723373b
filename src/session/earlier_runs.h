// Runs of a network before it is asked about.
#pragma once

#include "ampere/estimate.h"
#include "ampere/store.h"

namespace ampere {

// Makes the estimate of a network lean on the runs of this very network that the profile has learnt
// from, where its method can tell their chance from the network's own error.
void lean_on_earlier_runs(const Store& store, const ProfileRow& profile, const Model& network,
                          const Workload& workload, Estimate& estimate);

}  // namespace ampere
