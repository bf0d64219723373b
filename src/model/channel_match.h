// Channels of a network and of a narrower version of it, brought together: a channel can only take
// the place of one that passes the same layers, heads, groups and chunks.
#pragma once

#include <vector>

#include "model/channel_trace.h"

namespace ampere {

// Both as traced, the narrower one's sets in the same order.
struct TracedPair {
  ChannelTrace original, narrow;
};

// Channels of the original that may stand for each other, and those of the narrower network that
// take their place; both ascending.
struct ChannelCell {
  std::vector<int> original, narrow;
};

// Throws Error(usage) naming the set when the narrower network has more channels of a kind.
std::vector<ChannelCell> channel_cells(const TracedPair& pair);

// Of each layer's channels in the narrower network: which one of the original's layer it is.
struct KeptPositions {
  std::vector<std::vector<std::int64_t>> output, inside;
};

// `instead[channel]` is the original's channel for each of the narrower network's. Throws
// Error(usage) naming the layer where channels of the original do not lie in the order needed.
KeptPositions kept_positions(const Model& original, const TracedPair& pair,
                             const std::vector<int>& instead);

}  // namespace ampere
