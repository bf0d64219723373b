// Where the energy of a network goes, and which of its blocks nobody knows.
#pragma once

#include "ampere/estimate.h"
#include "ampere/widths.h"

namespace ampere {

std::vector<CostPart> cost_parts(const Estimate& estimate);  // the largest first

// Throws Error(unknown) naming what the profile lacks of this network.
void require_covered(const Estimate& estimate, const Model& original);

}  // namespace ampere
