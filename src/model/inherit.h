// Which channels of a network a narrower one keeps, and the weights it takes over with them.
//
// A free width (widths.h) says how many channels there are; often several sets of channels have
// it in common: the hidden units of a transformer's feed-forward layers are four times as many as
// its tokens are wide, but they are other channels. So scores and choices are by set.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/widths.h"

namespace ampere {

// Channels of which each is kept or dropped by itself, in all layers that make it: those that are
// added to each other are one.
struct ChannelSet {
  std::string name;  // the layer that makes them first; "….heads" for those inside an attention
  std::int64_t channels = 0;
};

// The sets of which channels can be dropped, in the order of the layers.
std::vector<ChannelSet> channel_sets(const Model& model);

using ChannelScores = std::vector<std::vector<double>>;       // by set, one a channel
using KeptChannels = std::vector<std::vector<std::int64_t>>;  // by set, ascending

// How large the weights are that make each channel: the sum of their absolute values, biases left
// out, as a multiple of the mean over the layer's channels, and of these the mean over all layers
// that make the channel. Normalisations, scales and depthwise convolutions on the way count as
// such layers: after a normalisation a channel is as large as its learned scale says, whatever the
// convolution before it holds. Throws Error(usage) when the weights are not the model's.
ChannelScores l1_scores(const Model& model, const Weights& weights);

// Drawn evenly between 0 and 1. Equal seeds give equal scores everywhere.
ChannelScores random_scores(const Model& model, unsigned seed);

// The channels with the largest scores (of equal ones the first) that make with_widths(model,
// widths): in every set as many as it then has, and as many in each head, group and chunk. Throws
// Error(usage) for widths that with_widths refuses, that are wider than the model's or that no
// choice makes, and for scores that are not one a channel or not a number.
KeptChannels keep_best(const Model& model, const ChannelScores& scores,
                       std::span<const std::int64_t> widths);

// The weights of with_widths(original, widths): the original's at the kept channels. Where dropped
// channels were 0 throughout, both networks compute the same, up to the statistics of layer and
// group normalisations; the queries of an attention are scaled to make up for narrower heads.
// Throws Error(usage) naming the set when its list is not ascending, not within the set, or does
// not make the narrower network, and for weights that are not the original's.
Weights inherit(const Model& original, const Weights& weights, std::span<const std::int64_t> widths,
                const KeptChannels& kept);

}  // namespace ampere
