// Makes prices better that came from a sample of the jobs.
#pragma once

#include "schedule/prices.h"

namespace ampere {

// Steps along the subgradient of the bound over all jobs: what is used more than there is of it
// becomes dearer, what is used less cheaper. Returns the prices of the best bound on the way, which
// may be those it was given. Not for the objective time.
Prices polish_prices(const Problem& problem, const Buckets& buckets, Prices prices, int steps,
                     StopToken stop);

}  // namespace ampere
