// Which blocks stay of one kind at any widths.
#pragma once

#include "ampere/block.h"
#include "ampere/widths.h"

namespace ampere {

// True where it is certain; its features are then sums of multiples of the widths. Which widths are
// tied inside a module, and how parts of several concatenations line up, depends on the numbers.
bool keeps_kind(const Model& model, const ChannelMap& channels, const Block& block);

}  // namespace ampere
