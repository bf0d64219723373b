// The parts of a network as an estimate lists them: equal blocks once, with their count.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ampere/block.h"
#include "ampere/estimate.h"

namespace ampere {

// Fills the parts of the estimate but for their costs. Blocks of which `known` says no are
// uncovered, with "no profile of …" as the reason. Returns each block's index in parts, -1 for
// uncovered ones.
std::vector<int> collect_parts(const Model& model, std::span<const Block> blocks,
                               const std::function<bool(const Block&)>& known, Estimate& estimate);

void warn_of_extrapolation(Estimate& estimate);

}  // namespace ampere
