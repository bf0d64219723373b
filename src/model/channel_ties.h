// Channel counts tied to each other in whole ratios: union-find where every link has a factor.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ampere/widths.h"

namespace ampere {

using Segments = std::vector<ChannelSegment>;  // here `group` is a node, not yet a group

class ChannelTies {
 public:
  int add(std::int64_t value, bool fixed);  // a new node

  // In terms of roots, neighbours of one root put together.
  Segments resolve(const Segments& segments) const;
  std::int64_t value(int node) const;  // channels now
  std::int64_t channels(const Segments& segments) const;
  bool fixed(int node) const;
  std::int64_t multiple_of(int node) const;  // of a root

  void pin(const Segments& segments);  // these channels cannot vary
  // The channels must stay divisible. Pins them when that cannot be said of each segment alone.
  void require_multiple(const Segments& segments, std::int64_t divisor);
  // Both lists stay equal, piece by piece; pins both when their pieces do not line up.
  void unite(const Segments& a, const Segments& b);
  // All segments stay in proportion, so that the list becomes one segment.
  void unite_within(const Segments& segments);
  // The index-th of equal shares of the list, which are tied to each other; nullopt (and pinned)
  // when it cannot be divided.
  std::optional<Segments> share(const Segments& segments, std::int64_t parts, std::int64_t index);

 private:
  struct Node {
    std::int64_t value = 0;
    int parent = -1;
    std::int64_t factor = 1;  // value = factor × value of the parent
    std::int64_t multiple_of = 1;
    bool fixed = false;
  };

  ChannelSegment root(ChannelSegment segment) const;
  void attach(int node, int parent, std::int64_t factor);
  void tie(ChannelSegment a, ChannelSegment b);
  using Pairs = std::vector<std::pair<ChannelSegment, ChannelSegment>>;
  std::optional<Pairs> line_up(Segments a, Segments b) const;
  std::optional<std::vector<Segments>> cut(Segments segments, std::int64_t share) const;

  mutable std::vector<Node> nodes_;  // looking for roots shortens the way to them
};

}  // namespace ampere
