#include "widths/plain.h"

#include <algorithm>

namespace ampere {
namespace {

// How an operator's channels follow from those it reads, whatever their numbers.
enum class Follows { always, when_alike, by_numbers };

struct FollowsOf {
  Follows operator()(const Add&) const { return Follows::when_alike; }
  Follows operator()(const Multiply&) const { return Follows::when_alike; }
  Follows operator()(const Subtract&) const { return Follows::when_alike; }
  Follows operator()(const Divide&) const { return Follows::when_alike; }
  Follows operator()(const Concat&) const { return Follows::by_numbers; }
  Follows operator()(const Chunk&) const { return Follows::by_numbers; }
  Follows operator()(const Slice&) const { return Follows::by_numbers; }
  Follows operator()(const Reduce&) const { return Follows::by_numbers; }
  Follows operator()(const Reshape&) const { return Follows::by_numbers; }
  Follows operator()(const Expand&) const { return Follows::by_numbers; }
  Follows operator()(const Permute&) const { return Follows::by_numbers; }
  Follows operator()(const MatMul&) const { return Follows::by_numbers; }
  Follows operator()(const ChannelShuffle&) const { return Follows::by_numbers; }
  template <class Other>
  Follows operator()(const Other&) const {
    return Follows::always;
  }
};

bool follows(const Layer& layer, const ChannelMap& channels) {
  const Follows how = std::visit(FollowsOf{}, layer.op);
  if (how != Follows::when_alike) return how == Follows::always;
  const auto& first = channels.of_layer[layer.inputs.front()];
  return !first.empty() && std::ranges::all_of(layer.inputs, [&](int input) {
    return channels.of_layer[input] == first;
  });
}

// Of what a block's layers give and read.
bool has_one_free_width(const Model& model, const ChannelMap& channels, const Block& block) {
  int only = -1;
  const auto fits = [&](int layer) {
    return std::ranges::all_of(channels.of_layer[layer], [&](const ChannelSegment& segment) {
      if (only < 0) only = segment.group;
      return segment.group == only && !channels.groups[segment.group].fixed;
    });
  };
  return std::ranges::all_of(block.layers, [&](int layer) {
    return fits(layer) && std::ranges::all_of(model.layers()[layer].inputs, fits);
  });
}

}  // namespace

bool keeps_kind(const Model& model, const ChannelMap& channels, const Block& block) {
  const auto in_module = [&](int layer) { return !model.layers()[layer].module.empty(); };
  const auto follow = [&](int layer) { return follows(model.layers()[layer], channels); };
  return std::ranges::any_of(block.layers, in_module) ? has_one_free_width(model, channels, block)
                                                      : std::ranges::all_of(block.layers, follow);
}

}  // namespace ampere
