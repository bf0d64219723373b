// The parts of a network as an estimate lists them: equal blocks once, with their count.
#pragma once

#include <functional>
#include <vector>

#include "ampere/block.h"
#include "ampere/estimate.h"

namespace ampere {

// Blocks of which `known` says no are uncovered, with "no profile of …" as the reason. `part_of`,
// where it is not null, gets each block's index in parts, -1 for uncovered ones.
void collect_parts(const Model& model, std::span<const Block> blocks,
                   const std::function<bool(const Block&)>& known,
                   const std::function<bool(const Block&)>& extrapolated, Estimate& estimate,
                   std::vector<int>* part_of = nullptr);

void warn_of_extrapolation(Estimate& estimate);

}  // namespace ampere
