// Finds the prices that give the best bound, by a linear program.
#pragma once

#include "schedule/prices.h"

namespace ampere {

// The linear program lets every job mix options and begins, and asks only that each bucket as a
// whole has enough devices and power. Its dual prices are those of the best bound. Columns (a job,
// an option, a begin) are generated as they pay. Of many jobs a sample stands for all, and the
// prices are then refined with every job. Stops early after `time`.
Prices find_prices(const Problem& problem, const Buckets& buckets, Seconds time, StopToken stop);

}  // namespace ampere
