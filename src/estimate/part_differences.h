// Two networks beside each other, block by block.
#pragma once

#include <vector>

#include "ampere/estimate.h"

namespace ampere {

// Both estimates are complete and by one method. Blocks are aligned in order: equal ones first,
// then those of one kind at other widths and those whose layers have the same name, which are
// changed; what is left was added or removed.
std::vector<PartDifference> part_differences(const Model& before, const Estimate& before_estimate,
                                             const Model& after, const Estimate& after_estimate);

}  // namespace ampere
