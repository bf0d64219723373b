// Every channel of a network followed from the layer that makes it to all that read it, one by one:
// widths.h says how many there are, this says which.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "ampere/widths.h"

namespace ampere {

// A place that a channel passes: where it is made, or the part of a layer's channels it must stay
// in (a group of a convolution, a head, a chunk).
struct ChannelMark {
  enum class Kind { made, made_inside, read_part, made_part, inside_part };
  int layer = 0;
  Kind kind = Kind::made;
  std::int64_t part = 0;
  friend auto operator<=>(const ChannelMark&, const ChannelMark&) = default;
};
using ChannelMarks = std::vector<ChannelMark>;  // ascending, each once

// Channels that are added to each other are one. They are numbered from 0 in the order in which
// they are made.
struct ChannelTrace {
  std::vector<std::vector<int>> output;  // of each layer; none of tokens and tensors
  std::vector<std::vector<int>> inside;  // of each attention: its queries, keys and values
  std::vector<ChannelMarks> marks;       // of each channel
  std::vector<int> set;                  // of each channel: the set it belongs to
  struct Set {
    std::string name;           // the layer that makes them first; "….heads" inside an attention
    std::vector<int> channels;  // ascending
    std::vector<int> makers;    // the layers
  };
  std::vector<Set> sets;  // channels made by the same layers, in order
};

ChannelTrace trace_channels(const Model& model);
ChannelTrace trace_channels(const Model& narrow, const Model& original);  // with_widths of it

// Whether some of the set's channels can be dropped.
bool can_vary(const ChannelTrace::Set& set, const ChannelMap& map);

}  // namespace ampere
