// How the blocks of a network, and what they compute and move, follow from its widths.
#pragma once

#include "ampere/model.h"
#include "ampere/train.h"
#include "base/json.h"

namespace ampere {

// The keys method, network, setup, widths, blocks and kinds of a what-if, without what a method
// knows of the kinds. Throws Error(usage) where no width can vary.
Json forms_json(const std::string& method, const Model& original, const Setup& setup);

}  // namespace ampere
