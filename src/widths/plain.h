// Which blocks stay of one kind at any widths.
#pragma once

#include "ampere/block.h"
#include "ampere/channels.h"

namespace ampere {

// True where it is certain. Which widths are tied inside a module, and how parts of a concatenation
// line up, depends on the numbers; a block without these, or with one width in all of it, is of the
// same kind whatever its widths are, and its features are sums of multiples of them.
bool keeps_kind(const Model& model, const ChannelMap& channels, const Block& block);

}  // namespace ampere
