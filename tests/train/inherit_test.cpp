// Channels that carry nothing are dropped: the narrower network computes what the original did.
#include "model/inherit.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "../model/support.h"
#include "../support/random_weights.h"
#include "ampere/model.h"
#include "model/channel_trace.h"
#include "train/inference.h"

namespace ampere {
namespace {

using namespace testing_support;

// Zeroes everything that belongs to one row along an axis.
void zero(FloatTensor& tensor, std::size_t axis, std::int64_t index) {
  std::size_t inner = 1, outer = 1;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<std::size_t>(tensor.sizes[i]);
  const auto length = static_cast<std::size_t>(tensor.sizes[axis]);
  for (std::size_t i = 0; i < outer; ++i)
    std::fill_n(tensor.values.begin() + static_cast<std::ptrdiff_t>(
                                            (i * length + static_cast<std::size_t>(index)) * inner),
                inner, 0.0f);
}

// Of a transposed convolution, whose weights are those of an input, then those of an output of its
// group.
void zero_transposed(FloatTensor& weight, std::int64_t groups, std::int64_t channel) {
  const std::int64_t inputs = weight.sizes[0] / groups, outputs = weight.sizes[1];
  const auto kernel = static_cast<std::ptrdiff_t>(weight.sizes[2] * weight.sizes[3]);
  const std::int64_t first = channel / outputs * inputs;
  for (std::int64_t input = first; input < first + inputs; ++input)
    std::fill_n(weight.values.begin() + (input * outputs + channel % outputs) * kernel, kernel,
                0.0f);
}

// The tensors of a layer whose rows make its channel: all that a channel needs to be 0.
void zero_output(const Layer& layer, std::int64_t channel, Weights& weights) {
  const auto tensor = [&](const std::string& name) -> FloatTensor* {
    const auto found = weights.find(layer.name + "." + name);
    return found == weights.end() ? nullptr : &found->second;
  };
  const auto zero_if = [&](const std::string& name, std::size_t axis, std::int64_t index) {
    if (FloatTensor* found = tensor(name)) zero(*found, axis, index);
  };
  if (const auto* recurrent = std::get_if<Recurrent>(&layer.op)) {
    const bool backwards = channel >= recurrent->hidden;
    const std::string end = backwards ? "_l0_reverse" : "_l0";
    for (std::int64_t gate = 0; gate < (recurrent->cell == Cell::lstm ? 4 : 3); ++gate)
      for (const char* name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"})
        zero_if(name + end, 0, gate * recurrent->hidden + channel % recurrent->hidden);
    return;
  }
  if (const auto* transposed = std::get_if<ConvTranspose>(&layer.op))
    zero_transposed(*tensor("weight"), transposed->groups, channel);
  else
    zero_if("weight", std::holds_alternative<Embedding>(layer.op) ? 1 : 0, channel);
  zero_if("bias", 0, channel);
  zero_if("out_proj.weight", 0, channel);
  zero_if("out_proj.bias", 0, channel);
  zero_if("token", 0, channel);
  zero_if("position", 1, channel);
}

void zero_inside(const Layer& layer, std::int64_t unit, Weights& weights) {
  for (std::int64_t part = 0; part < 3; ++part)
    for (const char* name : {"in_proj_weight", "in_proj_bias"})
      if (const auto found = weights.find(layer.name + "." + name); found != weights.end())
        zero(found->second, 0, part * layer.output.channels + unit);
}

// The weights with nothing in the channels that are not kept.
Weights with_dead_channels(const Model& model, Weights weights, const KeptChannels& kept) {
  const ChannelTrace trace = trace_channels(model);
  const ChannelMap map = map_channels(model);
  std::vector<bool> dead(trace.set.size(), false);
  std::size_t next = 0;
  for (const ChannelTrace::Set& set : trace.sets) {
    if (!can_vary(set, map)) continue;
    for (const int channel : set.channels) dead[channel] = true;
    for (const std::int64_t index : kept.at(next)) dead[set.channels[index]] = false;
    ++next;
  }
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Layer& layer = model.layers()[i];
    for (std::size_t c = 0; c < trace.output[i].size(); ++c)
      if (dead[trace.output[i][c]]) zero_output(layer, static_cast<std::int64_t>(c), weights);
    for (std::size_t c = 0; c < trace.inside[i].size(); ++c)
      if (dead[trace.inside[i][c]]) zero_inside(layer, static_cast<std::int64_t>(c), weights);
  }
  return weights;
}

// Layer normalisations change with the channels they see; a scale and a shift, which hold the same
// tensors, do not.
Model without_layer_norms(const Model& model) {
  ModelBuilder builder(model.name());
  for (const Layer& layer : model.layers()) {
    builder.module(layer.module);
    const bool norm = std::holds_alternative<LayerNorm>(layer.op);
    builder.add(norm ? Op(Scale{true}) : layer.op, layer.inputs, layer.name);
  }
  return std::move(builder).build();
}

// How far the outputs of the network at about this share of its widths are from those of the
// original with dead channels, relative to the largest of them.
double disagreement(const Model& original, double share, unsigned seed) {
  const std::vector<std::int64_t> widths = scaled_widths(original, share);
  const Weights weights = random_weights(original, seed, 1 / std::sqrt(share));
  const KeptChannels kept = keep_best(original, random_scores(original, seed), widths);
  const std::vector<FloatTensor> inputs = random_inputs(original, 2, seed);
  const Weights dead = with_dead_channels(original, weights, kept);
  const FloatTensor expected = infer(original, dead, inputs);
  const FloatTensor actual =
      infer(with_widths(original, widths), inherit(original, weights, widths, kept), inputs);
  EXPECT_GT(relative_spread(expected), 1e-2) << "nothing left to compare";
  return relative_difference(actual.values, expected.values);
}

Model small_zoo_model(const ZooEntry& entry) {
  std::map<std::string, std::int64_t> options;
  for (const ZooOption& option : entry.options) {
    if (option.key == "size") options["size"] = std::min<std::int64_t>(option.default_value, 64);
    if (option.key == "layers") options["layers"] = std::min<std::int64_t>(option.default_value, 2);
    if (option.key == "length")
      options["length"] = std::min<std::int64_t>(option.default_value, 12);
  }
  if (entry.name == "har") options["length"] = 128;
  return make_zoo_model(entry.name, options);
}

TEST(Inheriting, DropsDeadChannelsWithoutATraceInEveryNetworkOfTheZoo) {
  unsigned seed = 1;
  for (const ZooEntry& entry : zoo()) {
    if (entry.name == "resnet101" || entry.name == "resnet34" || entry.name == "vgg16") continue;
    SCOPED_TRACE(entry.name);
    const Model whole = without_layer_norms(small_zoo_model(entry));
    const Model model = with_widths(whole, scaled_widths(whole, 0.5));  // takes a quarter as long
    const double share = seed % 2 == 0 ? 0.37 : 0.71;
    EXPECT_LE(disagreement(model, share, ++seed), 1e-4);
  }
}

TEST(Inheriting, HoldsForShuffledChannelsOfAnyWidth) {
  const Model model = make_zoo_model("shufflenet_v2", {{"size", 32}});
  for (const double share : {0.15, 0.33, 0.5, 0.8, 1.0})
    EXPECT_LE(disagreement(model, share, 5), 1e-4) << share;
}

// A network of what the zoo has not: groups, both directions, transposed and line convolutions,
// group normalisation of one group a channel, slopes, parameters, sums of joined tensors.
Model unusual() {
  ModelBuilder builder("unusual");
  const int input = builder.add(Input{image(3, 8, 8)});
  builder.add(conv(12, 3, 1), {input}, "stem");
  builder.add(grouped(24, 3, 4), "groups");
  builder.add(PRelu{}, "slopes");
  builder.add(ConvTranspose{16, {2, 2}, {2, 2}, {}, {}, {}, 4}, "transposed");
  const int left = builder.add(Scale{true}, "scale");
  const int right = builder.add(conv(8, 1), {left}, "right");
  const int joined = builder.add(Concat{}, {right, left}, "joined");
  const int all = builder.add(conv(24, 1), {left}, "all");
  const int sum = builder.add(Add{}, {joined, all}, "sum");
  const int bias = builder.add(Parameter{flat(24)}, "bias");
  const int shifted = builder.add(Add{}, {sum, bias}, "shifted");
  const int gate = builder.add(AdaptivePool{{1, 1}}, {shifted}, "squeeze");
  builder.add(Multiply{}, {shifted, gate}, "gated");
  builder.add(ToSequence{}, "sequence");
  const int read = builder.add(Recurrent{Cell::lstm, 6, true}, "both");
  const int attended = builder.add(SelfAttention{2, false}, {read}, "attention");
  builder.add(Add{}, {read, attended}, "residual");
  builder.add(Recurrent{Cell::gru, 5, true, false}, "gru");
  builder.add(Flatten{}, "flatten");
  builder.add(BatchNorm{}, "norm");
  builder.add(Linear{7}, "fc");
  return std::move(builder).build();
}

TEST(Inheriting, DropsDeadChannelsOfEveryKindOfLayer) {
  const Model model = unusual();
  for (const double share : {0.3, 0.5, 0.7})
    EXPECT_LE(disagreement(model, share, 9), 1e-4) << share;
}

// The comparison would see a channel in the wrong place.
TEST(Inheriting, IsSeenToFailWithOtherChannels) {
  const Model model = make_zoo_model("cnn5");
  const std::vector<std::int64_t> widths = scaled_widths(model, 0.5);
  const Weights weights = random_weights(model, 1);
  const KeptChannels kept = keep_best(model, random_scores(model, 1), widths);
  const KeptChannels others = keep_best(model, random_scores(model, 2), widths);
  const std::vector<FloatTensor> inputs = random_inputs(model, 1, 1);
  const FloatTensor expected = infer(model, with_dead_channels(model, weights, kept), inputs);
  const FloatTensor actual =
      infer(with_widths(model, widths), inherit(model, weights, widths, others), inputs);
  EXPECT_NE(actual.values, expected.values);
  EXPECT_GT(std::abs(actual.values[0] - expected.values[0]), 1e-3);
}

TEST(Inheriting, TreatsLayerNormsAsScales) {
  for (const char* name : {"transformer", "vit_tiny"}) {
    const Model model = make_zoo_model(name, {{"layers", 1}});
    const Weights weights = random_weights(model, 1);
    const std::vector<std::int64_t> widths = scaled_widths(model, 0.5);
    const KeptChannels kept = keep_best(model, l1_scores(model, weights), widths);
    const Weights normed = inherit(model, weights, widths, kept);
    const Weights scaled = inherit(without_layer_norms(model), weights, widths, kept);
    ASSERT_EQ(normed.size(), scaled.size());
    for (const auto& [key, tensor] : normed) EXPECT_EQ(tensor.values, scaled.at(key).values) << key;
  }
}

}  // namespace
}  // namespace ampere
