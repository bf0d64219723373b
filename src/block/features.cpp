#include "block/features.h"

#include <string>
#include <unordered_set>
#include <utility>

namespace ampere {
namespace {

constexpr int kNoGroup = -1;
using Segments = std::vector<ChannelSegment>;

std::vector<int> free_groups(const ChannelMap& channels, const Segments& segments) {
  std::vector<int> free;
  std::unordered_set<int> seen;
  for (const ChannelSegment& segment : segments)
    if (!channels.groups[segment.group].fixed && seen.insert(segment.group).second)
      free.push_back(segment.group);
  return free;
}

int main_input_group(const Model& fragment, const ChannelMap& channels) {
  if (!std::holds_alternative<Input>(fragment.layers().front().op)) return kNoGroup;
  const std::vector<int> free = free_groups(channels, channels.of_layer.front());
  return free.empty() ? kNoGroup : free.front();
}

// Where several groups line up in the output (concatenation), the one the block itself makes.
int output_group(const Model& fragment, const ChannelMap& channels) {
  const std::vector<int> free = free_groups(channels, channels.of_layer.back());
  if (free.empty()) return kNoGroup;
  std::vector<int> rank(channels.groups.size(), kNoGroup);  // among those of the output
  for (std::size_t i = 0; i < free.size(); ++i) rank[free[i]] = static_cast<int>(i);
  for (std::size_t i = fragment.layers().size(); i-- > 0;) {
    if (!is_parametric(fragment.layers()[i].op)) continue;
    int first = kNoGroup;
    for (const ChannelSegment& segment : channels.of_layer[i])
      if (const int at = rank[segment.group]; at != kNoGroup && (first == kNoGroup || at < first))
        first = at;
    if (first != kNoGroup) return free[first];
  }
  return free.back();
}

// Which groups some input of the block has.
std::vector<bool> input_groups(const Model& fragment, const ChannelMap& channels) {
  std::vector<bool> groups(channels.groups.size());
  for (std::size_t i = 0; i < fragment.layers().size(); ++i)
    if (std::holds_alternative<Input>(fragment.layers()[i].op))
      for (const ChannelSegment& segment : channels.of_layer[i]) groups[segment.group] = true;
  return groups;
}

void add_feature(FeatureMap& map, std::string name, int group) {
  const ChannelGroup& channels = map.channels.groups[group];
  map.feature_of_group[group] = static_cast<int>(map.features.size());
  map.features.push_back({std::move(name), channels.multiple_of});
  map.groups.push_back(group);
  map.values.push_back(channels.value);
}

void add_numbered(FeatureMap& map, const std::string& name, const std::vector<int>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    add_feature(map, groups.size() == 1 ? name : name + std::to_string(i + 1), groups[i]);
}

}  // namespace

OutputChannels output_channels(Role role) {
  return role == Role::output ? OutputChannels::fixed : OutputChannels::free;
}

FeatureMap map_features(const Model& fragment, Role role) {
  FeatureMap map;
  map.channels = map_channels(fragment, output_channels(role));
  map.feature_of_group.assign(map.channels.groups.size(), kNoGroup);
  const int in = main_input_group(fragment, map.channels);
  const int out = output_group(fragment, map.channels);
  if (in != kNoGroup) add_feature(map, in == out ? "c" : "c_in", in);
  if (out != kNoGroup && out != in) add_feature(map, "c_out", out);
  const std::vector<bool> entering = input_groups(fragment, map.channels);
  std::vector<int> mid, side;
  for (std::size_t g = 0; g < map.channels.groups.size(); ++g) {
    const int group = static_cast<int>(g);
    if (map.channels.groups[g].fixed || map.feature_of_group[g] != kNoGroup) continue;
    (entering[g] ? side : mid).push_back(group);
  }
  add_numbered(map, "c_mid", mid);
  add_numbered(map, "c_side", side);
  return map;
}

}  // namespace ampere
