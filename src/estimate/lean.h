// A network that was run before is known better than by any law.
#pragma once

#include <span>

#include "ampere/estimate.h"
#include "ampere/measurement.h"

namespace ampere {

// Moves the estimate towards earlier runs of the very same network, at the same setup. What the
// runs differ from it by is partly the network's own, and will be seen again, and partly chance:
// the estimate says how much of its error is which (`between_runs`), and each counts accordingly.
// Without that, without runs and without totals nothing changes.
void lean_on(std::span<const Measurement> runs, const Workload& workload, Estimate& estimate);

}  // namespace ampere
