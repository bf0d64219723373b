// Comparing the blocks that are computed with those of the network itself.
#pragma once

#include <cstdint>
#include <vector>

#include "widths/width_blocks.h"

namespace ampere {

// The same as cutting the network itself: kinds, features and work.
void expect_same(WidthBlocks& blocks, const Model& original,
                 const std::vector<std::int64_t>& widths, const Setup& setup);

// Widths from a few small numbers, so that parts are equal to one another, and sums to parts: all
// of them 1, all equal, and some at random.
std::vector<std::vector<std::int64_t>> coinciding_widths(const Model& original, int count,
                                                         unsigned seed);

}  // namespace ampere
