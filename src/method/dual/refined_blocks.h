// Which blocks a profile timed for one network alone (to refine its estimate, or to learn from it)
// and not because of a plan: whoever leaves that network out of a fit leaves these out with it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "ampere/store.h"
#include "block/terms.h"
#include "method/dual/dual_model.h"

namespace ampere {

using RefinedBlocks = std::map<std::string, std::set<BlockKey>>;  // by the network's hash

// What is stored; empty for profiles from before this was noted.
RefinedBlocks refined_blocks(const Store& store, std::int64_t profile);
void put_refined_blocks(Store& store, std::int64_t profile, const RefinedBlocks& refined);

// Notes the blocks of this network that the maps do not have: they were timed for it. A
// block that was timed for another network before belongs to both.
void note_refined(const Model& network, const TimeMaps& known, RefinedBlocks& refined);

// The blocks that were timed for these networks (by hash) and for no others.
std::set<BlockKey> timed_only_for(const std::set<std::string>& networks,
                                  const RefinedBlocks& refined);

}  // namespace ampere
