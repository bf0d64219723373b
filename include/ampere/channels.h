// Which channel counts of a network are free, and which follow from them. Adding two tensors ties
// their channels; flattening multiplies them; concatenation lines them up. The same analysis says
// what features a block has, what "narrower versions" of a network are, and what can be pruned.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// Channels that are always equal to each other (or fixed multiples of one another).
struct ChannelGroup {
  std::string name;              // the first layer that has these channels
  std::int64_t value = 0;        // now
  std::int64_t multiple_of = 1;  // heads, groups, chunks
  bool fixed = false;            // raw data, classes, or tied in a way that cannot be varied
};

struct ChannelSegment {
  int group = 0;
  std::int64_t multiple = 1;
  friend bool operator==(const ChannelSegment&, const ChannelSegment&) = default;
};

struct ChannelMap {
  std::vector<ChannelGroup> groups;  // in order of first appearance
  std::vector<std::vector<ChannelSegment>>
      of_layer;  // output channels of each layer = Σ multiple·group
};

enum class OutputChannels { fixed, free };  // fixed: the classes of a whole network

// Inside a module, widths that are whole multiples of the module's input channels scale with them.
ChannelMap map_channels(const Model& model, OutputChannels output = OutputChannels::fixed);

// The free groups in order, and the model with other values for them. Throws Error(usage) naming
// the width when a value is not positive, not a multiple, absurdly large or the count is wrong.
std::vector<ChannelGroup> free_widths(const Model& model,
                                      OutputChannels output = OutputChannels::fixed);
Model with_widths(const Model& model, std::span<const std::int64_t> widths,
                  OutputChannels output = OutputChannels::fixed);

}  // namespace ampere
