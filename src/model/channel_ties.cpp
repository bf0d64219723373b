#include "model/channel_ties.h"

#include <algorithm>
#include <numeric>

namespace ampere {

int ChannelTies::add(std::int64_t value, bool fixed) {
  nodes_.push_back({value, -1, 1, 1, fixed});
  return static_cast<int>(nodes_.size()) - 1;
}

// Every node on the way is hung directly below the root, so that long chains are walked once.
ChannelSegment ChannelTies::root(ChannelSegment segment) const {
  std::vector<int> way;
  int root = segment.group;
  for (; nodes_[root].parent >= 0; root = nodes_[root].parent) way.push_back(root);
  std::int64_t factor = 1;
  while (!way.empty()) {
    Node& node = nodes_[way.back()];
    factor *= node.factor;
    node.parent = root;
    node.factor = factor;
    way.pop_back();
  }
  return {root, segment.multiple * factor};
}

Segments ChannelTies::resolve(const Segments& segments) const {
  Segments resolved;
  for (const ChannelSegment& segment : segments) {
    const ChannelSegment next = root(segment);
    if (!resolved.empty() && resolved.back().group == next.group)
      resolved.back().multiple += next.multiple;
    else
      resolved.push_back(next);
  }
  return resolved;
}

std::int64_t ChannelTies::value(int node) const { return nodes_[node].value; }

std::int64_t ChannelTies::channels(const Segments& segments) const {
  std::int64_t total = 0;
  for (const ChannelSegment& segment : segments) total += segment.multiple * value(segment.group);
  return total;
}

bool ChannelTies::fixed(int node) const { return nodes_[root({node, 1}).group].fixed; }

std::int64_t ChannelTies::multiple_of(int node) const { return nodes_[node].multiple_of; }

void ChannelTies::pin(const Segments& segments) {
  for (const ChannelSegment& segment : segments) nodes_[root(segment).group].fixed = true;
}

void ChannelTies::require_multiple(const Segments& segments, std::int64_t divisor) {
  const Segments resolved = resolve(segments);
  const auto divides = [&](const ChannelSegment& segment) {
    return segment.multiple * value(segment.group) % divisor == 0;
  };
  if (!std::ranges::all_of(resolved, divides)) return pin(resolved);
  for (const ChannelSegment& segment : resolved) {
    std::int64_t& multiple_of = nodes_[segment.group].multiple_of;
    multiple_of = std::lcm(multiple_of, divisor / std::gcd(divisor, segment.multiple));
  }
}

// What holds for the node must hold for factor × parent.
void ChannelTies::attach(int node, int parent, std::int64_t factor) {
  Node& child = nodes_[node];
  Node& above = nodes_[parent];
  child.parent = parent;
  child.factor = factor;
  above.fixed = above.fixed || child.fixed;
  above.multiple_of =
      std::lcm(above.multiple_of, child.multiple_of / std::gcd(child.multiple_of, factor));
}

// m·A = n·B. Divided by what m and n share, A = n·K and B = m·K; where one of them is 1, K is A or
// B itself.
void ChannelTies::tie(ChannelSegment a, ChannelSegment b) {
  a = root(a);
  b = root(b);
  if (a.group == b.group) return;
  const std::int64_t common = std::gcd(a.multiple, b.multiple);
  const std::int64_t m = a.multiple / common, n = b.multiple / common;
  if (n == 1) return attach(b.group, a.group, m);
  if (m == 1) return attach(a.group, b.group, n);
  const int base = add(value(a.group) / n, false);
  attach(a.group, base, n);
  attach(b.group, base, m);
}

// Pieces of equal size from both lists: the larger of two segments gives whole copies of its group.
std::optional<ChannelTies::Pairs> ChannelTies::line_up(Segments a, Segments b) const {
  std::ranges::reverse(a);
  std::ranges::reverse(b);
  Pairs pairs;
  while (!a.empty() && !b.empty()) {
    const bool a_larger =
        a.back().multiple * value(a.back().group) >= b.back().multiple * value(b.back().group);
    Segments& from = a_larger ? a : b;
    Segments& whole = a_larger ? b : a;
    const ChannelSegment piece = whole.back();
    const std::int64_t size = piece.multiple * value(piece.group);
    if (size % value(from.back().group) != 0) return std::nullopt;
    const std::int64_t copies = size / value(from.back().group);
    pairs.push_back({piece, {from.back().group, copies}});
    whole.pop_back();
    from.back().multiple -= copies;
    if (from.back().multiple == 0) from.pop_back();
  }
  return pairs;
}

void ChannelTies::unite(const Segments& a, const Segments& b) {
  const std::optional<Pairs> pairs = line_up(resolve(a), resolve(b));
  if (!pairs) {
    pin(a);
    pin(b);
    return;
  }
  for (const auto& [left, right] : *pairs) tie(left, right);
}

void ChannelTies::unite_within(const Segments& segments) {
  if (segments.empty()) return;
  const int first = segments[0].group;
  for (const ChannelSegment& segment : segments) {
    const std::int64_t common = std::gcd(value(first), value(segment.group));
    tie({first, value(segment.group) / common}, {segment.group, value(first) / common});
  }
}

// The list in runs of `share` channels, as far as whole copies of groups allow.
std::optional<std::vector<Segments>> ChannelTies::cut(Segments segments, std::int64_t share) const {
  std::vector<Segments> shares;
  std::int64_t room = 0;
  std::ranges::reverse(segments);
  while (!segments.empty()) {
    if (room == 0) {
      shares.emplace_back();
      room = share;
    }
    ChannelSegment& next = segments.back();
    const std::int64_t copies = std::min(next.multiple, room / value(next.group));
    if (copies == 0) return std::nullopt;
    shares.back().push_back({next.group, copies});
    room -= copies * value(next.group);
    next.multiple -= copies;
    if (next.multiple == 0) segments.pop_back();
  }
  return shares;
}

std::optional<Segments> ChannelTies::share(const Segments& segments, std::int64_t parts,
                                           std::int64_t index) {
  Segments resolved = resolve(segments);
  if (resolved.size() == 1) {
    if (resolved[0].multiple % parts != 0) {
      const int whole = resolved[0].group;
      const std::int64_t factor = parts / std::gcd(parts, resolved[0].multiple);
      attach(whole, add(value(whole) / factor, false), factor);
      resolved = resolve(segments);
    }
    return Segments{{resolved[0].group, resolved[0].multiple / parts}};
  }
  const std::optional<std::vector<Segments>> shares = cut(resolved, channels(segments) / parts);
  if (!shares) {
    pin(segments);
    return std::nullopt;
  }
  for (const Segments& other : *shares) unite(shares->front(), other);
  return (*shares)[index];
}

}  // namespace ampere
