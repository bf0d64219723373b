// The channel counts of a fragment that vary within its kind, named by the part they play.
#pragma once

#include <cstdint>
#include <vector>

#include "ampere/block.h"
#include "ampere/widths.h"

namespace ampere {

// Classes are fixed in the block that gives the network's answer; elsewhere output channels vary.
OutputChannels output_channels(Role role);

struct FeatureMap {
  ChannelMap channels;
  std::vector<Feature> features;      // c_in (or c), c_out, c_mid…, c_side…
  std::vector<int> groups;            // the channel group of each feature
  std::vector<std::int64_t> values;   // of each feature, now
  std::vector<int> feature_of_group;  // -1 for fixed groups
};

FeatureMap map_features(const Model& fragment, Role role);

}  // namespace ampere
