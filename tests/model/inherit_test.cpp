#include "model/inherit.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "../support/random_weights.h"
#include "ampere/model.h"
#include "every_op.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::own_widths;
using testing_support::random_weights;
using testing_support::scaled_widths;
using Widths = std::vector<std::int64_t>;

KeptChannels everything(const Model& model) {
  KeptChannels kept;
  for (const ChannelSet& set : channel_sets(model)) {
    kept.emplace_back();
    for (std::int64_t i = 0; i < set.channels; ++i) kept.back().push_back(i);
  }
  return kept;
}

std::vector<std::string> names(const Model& model) {
  std::vector<std::string> all;
  for (const ChannelSet& set : channel_sets(model))
    all.push_back(set.name + " " + std::to_string(set.channels));
  return all;
}

// Two convolutions and a linear layer over what is left of an image of two positions.
Model plain() {
  ModelBuilder builder("plain");
  builder.add(Input{line(1, 2)});
  builder.add(conv(3, 1), "first");
  builder.add(Flatten{});
  builder.add(Linear{2}, "last");
  return std::move(builder).build();
}

Weights plain_weights() {
  return {{"first.weight", {{3, 1, 1}, {1, -5, 2}}},
          {"first.bias", {{3}, {10, 20, 30}}},
          {"last.weight", {{2, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}},
          {"last.bias", {{2}, {7, 8}}}};
}

TEST(Inherit, TakesChannelsWithAllTheirPositions) {
  const Weights kept = inherit(plain(), plain_weights(), Widths{2}, {{0, 2}});
  EXPECT_THAT(kept.at("first.weight").values, ElementsAre(1, 2));
  EXPECT_THAT(kept.at("first.bias").values, ElementsAre(10, 30));
  EXPECT_EQ(kept.at("last.weight").sizes, (Widths{2, 4}));
  EXPECT_THAT(kept.at("last.weight").values, ElementsAre(0, 1, 4, 5, 6, 7, 10, 11));
  EXPECT_THAT(kept.at("last.bias").values, ElementsAre(7, 8));
}

TEST(Inherit, OfAllChannelsChangesNothing) {
  std::vector<Model> models{every_op(), further_ops(), language_ops(), table_ops()};
  for (const ZooEntry& entry : zoo()) {
    const Model model = make_zoo_model(entry.name);
    models.push_back(with_widths(model, scaled_widths(model, 0.2)));
  }
  for (const Model& model : models) {
    SCOPED_TRACE(model.name());
    const Weights weights = random_weights(model, 1);
    const Weights same = inherit(model, weights, own_widths(model), everything(model));
    ASSERT_EQ(same.size(), weights.size());
    for (const auto& [key, tensor] : weights) {
      EXPECT_EQ(same.at(key).sizes, tensor.sizes) << key;
      EXPECT_TRUE(same.at(key).values == tensor.values) << key;
    }
  }
}

TEST(Inherit, KeepsGatesTogether) {
  ModelBuilder builder("net");
  builder.add(Input{sequence(3, 1)});
  builder.add(Recurrent{Cell::gru, 2}, "gru");
  builder.add(Linear{1, false}, "fc");
  const Model model = std::move(builder).build();
  const Weights weights{{"gru.weight_ih_l0", {{6, 1}, {0, 1, 2, 3, 4, 5}}},
                        {"gru.weight_hh_l0", {{6, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}},
                        {"gru.bias_ih_l0", {{6}, {0, 1, 2, 3, 4, 5}}},
                        {"gru.bias_hh_l0", {{6}, {5, 4, 3, 2, 1, 0}}},
                        {"fc.weight", {{1, 2}, {8, 9}}}};
  const Weights kept = inherit(model, weights, Widths{1}, {{1}});
  EXPECT_THAT(kept.at("gru.weight_ih_l0").values, ElementsAre(1, 3, 5));
  EXPECT_THAT(kept.at("gru.weight_hh_l0").values, ElementsAre(3, 7, 11));
  EXPECT_THAT(kept.at("gru.bias_hh_l0").values, ElementsAre(4, 2, 0));
  EXPECT_THAT(kept.at("fc.weight").values, ElementsAre(9));
}

TEST(Inherit, ScalesQueriesForNarrowerHeads) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(3, 1)});
  builder.add(Embedding{2}, "embedding");
  builder.add(SelfAttention{1, false}, "attention");
  builder.add(Linear{1, false}, "fc");
  const Model model = std::move(builder).build();
  EXPECT_THAT(names(model), ElementsAre("embedding 2", "attention.heads 2", "attention 2"));
  const Weights weights{
      {"embedding.weight", {{1, 2}, {1, 2}}},
      {"attention.in_proj_weight", {{6, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}},
      {"attention.out_proj.weight", {{2, 2}, {1, 2, 3, 4}}},
      {"fc.weight", {{1, 2}, {8, 9}}}};
  const Weights kept = inherit(model, weights, Widths{1}, {{0}, {1}, {1}});
  const std::vector<float>& in = kept.at("attention.in_proj_weight").values;
  ASSERT_EQ(in.size(), 3u);
  EXPECT_NEAR(in[0], 2 / std::sqrt(2.0), 1e-6);
  EXPECT_THAT((std::vector<float>{in[1], in[2]}), ElementsAre(6, 10));
  EXPECT_THAT(kept.at("attention.out_proj.weight").values, ElementsAre(4));
  EXPECT_THAT(kept.at("fc.weight").values, ElementsAre(9));
}

// One channel that is left is not taken for one that is broadcast.
TEST(Inherit, GoesDownToASingleChannelBesideAGateOfOne) {
  ModelBuilder builder("gated");
  builder.add(Input{image(1, 2, 2)});
  const int features = builder.add(conv(4, 1), "features");
  const int gate = builder.add(conv(1, 1), {features}, "gate");
  builder.add(Multiply{}, {features, gate}, "gated");
  builder.add(Reduce{Reduction::mean, {0}}, "mean");
  builder.add(Flatten{});
  builder.add(Linear{2}, "fc");
  const Model model = std::move(builder).build();
  EXPECT_THAT(names(model), ElementsAre("features 4"));
  const Weights weights = random_weights(model, 1);
  const Weights kept = inherit(model, weights, Widths{1}, {{2}});
  EXPECT_THAT(kept.at("features.weight").values,
              ElementsAre(weights.at("features.weight").values[2]));
  EXPECT_THAT(kept.at("gate.weight").values, ElementsAre(weights.at("gate.weight").values[2]));
  EXPECT_EQ(kept.at("fc.weight").values, weights.at("fc.weight").values);
}

TEST(Inherit, RefusesListsThatAreNotTheModels) {
  const Model model = plain();
  const auto refusal = [&](const KeptChannels& kept) {
    return message_of([&] { inherit(model, plain_weights(), Widths{2}, kept); });
  };
  EXPECT_THAT(refusal({{2, 0}}), HasSubstr("'first' must ascend, each once, but 0 follows 2"));
  EXPECT_THAT(refusal({{1, 1}}), HasSubstr("but 1 follows 1"));
  EXPECT_THAT(refusal({{0, 3}}), HasSubstr("'first' has no channel 3"));
  EXPECT_THAT(refusal({{-1, 0}}), HasSubstr("no channel -1"));
  EXPECT_THAT(refusal({{0, 1, 2}}), HasSubstr("3 channels are kept where the narrower network"));
  EXPECT_THAT(refusal({{1}}), HasSubstr("of 'first', 1 channels are kept"));
  EXPECT_THAT(refusal({{}}), HasSubstr("0 channels are kept"));
  EXPECT_THAT(refusal({}), HasSubstr("plain has 1 sets of channels, not 0 lists"));
  EXPECT_THAT(refusal({{0, 1}, {0}}), HasSubstr("not 2 lists"));
}

TEST(Inherit, RefusesWeightsAndWidthsThatAreNotTheModels) {
  Weights weights = plain_weights();
  weights.erase("first.bias");
  EXPECT_THAT(message_of([&] {
                inherit(plain(), weights, Widths{2}, {{0, 1}});
              }),
              HasSubstr("'first.bias' is missing"));
  EXPECT_THAT(message_of([&] {
                inherit(plain(), plain_weights(), Widths{4}, {{0, 1}});
              }),
              HasSubstr("only narrower networks inherit"));
  EXPECT_THAT(message_of([&] {
                inherit(plain(), plain_weights(), Widths{}, {{0, 1}});
              }),
              HasSubstr("1 widths"));
}

// Channels of groups 0 and 1, of which as many must stay.
Model in_groups() {
  ModelBuilder builder("groups");
  builder.add(Input{line(2, 1)});
  builder.add(conv(4, 1), "first");
  builder.add(grouped(4, 1, 2), "second");
  builder.add(Flatten{});
  builder.add(Linear{1}, "last");
  return std::move(builder).build();
}

TEST(KeepBest, TakesTheLargestOfEachGroup) {
  const ChannelScores scores{{4, 3, 2, 1}, {1, 2, 3, 4}};
  EXPECT_EQ(keep_best(in_groups(), scores, Widths{2, 2}), (KeptChannels{{0, 2}, {1, 3}}));
  EXPECT_EQ(keep_best(in_groups(), {{1, 1, 1, 1}, {0, 0, 0, 0}}, Widths{2, 2}),
            (KeptChannels{{0, 2}, {0, 2}}));
}

TEST(Inherit, RefusesAnUnequalShareOfAGroup) {
  const Weights weights = random_weights(in_groups(), 1);
  EXPECT_THAT(message_of([&] {
                inherit(in_groups(), weights, Widths{2, 2}, {{0, 1}, {0, 2}});
              }),
              AllOf(HasSubstr("of 'first' in part 1 of 'second', 2 channels are kept"),
                    HasSubstr("has 1")));
}

TEST(Inherit, GivesEachGroupItsOwnInputs) {
  const Weights weights = random_weights(in_groups(), 1);
  const std::vector<float>& all = weights.at("second.weight").values;  // 4 × 2
  const Weights kept = inherit(in_groups(), weights, Widths{2, 2}, {{1, 2}, {0, 3}});
  EXPECT_THAT(kept.at("second.weight").values, ElementsAre(all[0 * 2 + 1], all[3 * 2 + 0]));
}

TEST(KeepBest, RefusesScoresThatAreNotOneAChannel) {
  const auto refusal = [](const ChannelScores& scores) {
    return message_of([&] { keep_best(plain(), scores, Widths{2}); });
  };
  EXPECT_THAT(refusal({{1, 2}}), HasSubstr("'first' has 3 channels, not 2 scores"));
  EXPECT_THAT(refusal({}), HasSubstr("not 0 lists of scores"));
  EXPECT_THAT(refusal({{1, NAN, 2}}), HasSubstr("is not a number"));
  EXPECT_EQ(keep_best(plain(), {{-INFINITY, 1, INFINITY}}, Widths{1}), (KeptChannels{{2}}));
}

TEST(KeepBest, SaysWhereNoChoiceFitsAShuffle) {
  const Model model = make_zoo_model("shufflenet_v2", {{"size", 32}});
  const std::vector<ChannelGroup> groups = free_widths(model);
  Widths widths = own_widths(model);
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (groups[i].name == "stage3.0.side.conv") widths[i] = 110;
  EXPECT_THAT(message_of([&] { keep_best(model, random_scores(model, 1), widths); }),
              AllOf(HasSubstr("no choice of 110 of the 116 channels"), HasSubstr("stage3.")));
}

TEST(L1Scores, AreTheSumsRelativeToTheLayersMean) {
  const ChannelScores scores = l1_scores(plain(), plain_weights());
  ASSERT_EQ(scores.size(), 1u);
  EXPECT_THAT(scores[0], ElementsAre(DoubleNear(0.375, 1e-9), DoubleNear(1.875, 1e-9),
                                     DoubleNear(0.75, 1e-9)));
}

TEST(L1Scores, CountTheNormalisationBehindAConvolution) {
  ModelBuilder builder("net");
  builder.add(Input{line(1, 2)});
  builder.add(conv(2, 1), "conv");
  builder.add(BatchNorm{}, "norm");
  builder.add(Flatten{});
  builder.add(Linear{1}, "fc");
  const Model model = std::move(builder).build();
  Weights weights = random_weights(model, 1);
  weights["conv.weight"].values = {1, 1};
  weights["norm.weight"].values = {-3, 1};
  const ChannelScores scores = l1_scores(model, weights);
  EXPECT_THAT(scores[0], ElementsAre(DoubleNear(1.25, 1e-9), DoubleNear(0.75, 1e-9)));
}

TEST(L1Scores, OfSilentLayersAreZero) {
  Weights weights = plain_weights();
  weights["first.weight"].values = {0, 0, 0};
  EXPECT_THAT(l1_scores(plain(), weights)[0], ElementsAre(0, 0, 0));
  weights.clear();
  EXPECT_THAT(message_of([&] { l1_scores(plain(), weights); }), HasSubstr("is missing"));
}

TEST(RandomScores, AreTheSameEverywhere) {
  const ChannelScores scores = random_scores(plain(), 0);
  EXPECT_THAT(scores[0],
              ElementsAre(DoubleNear(0.15979336337046085, 1e-15), testing::_, testing::_));
  EXPECT_EQ(scores, random_scores(plain(), 0));
  EXPECT_NE(scores, random_scores(plain(), 1));
}

TEST(ChannelSets, AreWhatIsAddedTogether) {
  ModelBuilder builder("residual");
  builder.add(Input{image(3, 4, 4)});
  const int stem = builder.add(conv(8, 3, 1), "stem");
  builder.add(depthwise(3, 1), "depthwise");
  builder.add(conv(6, 1), "inner");
  const int last = builder.add(conv(8, 1), "last");
  builder.add(Add{}, {stem, last}, "sum");
  builder.add(Flatten{});
  builder.add(Linear{10}, "fc");
  EXPECT_THAT(names(std::move(builder).build()), ElementsAre("stem 8", "inner 6"));
}

// The hidden units of a feed-forward layer are as many as its tokens are wide, but others.
TEST(ChannelSets, ShareAWidthWithoutBeingTheSame) {
  const Model model = make_zoo_model("transformer", {{"layers", 1}, {"d", 8}});
  EXPECT_EQ(free_widths(model).size(), 1u);
  EXPECT_THAT(names(model),
              ElementsAre("embedding 8", "encoder0.attention.heads 8", "encoder0.ffn1 32"));
}

}  // namespace
}  // namespace ampere
