// From what one iteration costs to what a workload does: shared by all estimators.
#pragma once

#include "ampere/estimate.h"

namespace ampere {

// Variances of what is independent add.
void add_independent(Quantity& sum, const Quantity& term);

// Does not reach below 0.
Interval normal_interval(const Quantity& quantity, double confidence);

// Fills the four totals of `estimate`, anew if they are there. Intervals are normal.
void set_totals(const Quantity& energy_per_iteration, const Quantity& time_per_iteration,
                const Workload& workload, Estimate& estimate);

}  // namespace ampere
