// The kinds of block that must be known to estimate some networks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ampere/block.h"

namespace ampere {

// A kind to be known up to these feature values.
struct PlannedKind {
  std::shared_ptr<const BlockKind> kind;
  Companions companions;
  std::vector<std::int64_t> upper;
};

// Everything needed for these networks and all their narrower versions, in the order in which each
// can be isolated by subtraction: output kinds, input kinds, hidden kinds.
std::vector<PlannedKind> plan_profile(std::span<const Model> models);

}  // namespace ampere
