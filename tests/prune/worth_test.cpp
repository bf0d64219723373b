#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "model/inherit.h"
#include "prune/search/width_search.h"

namespace ampere {
namespace {

WidthSpace space_of_two(std::int64_t a, std::int64_t b) {
  return {open_model("cnn5"), {{"a", 1, a, 1}, {"b", 1, b, 1}}};
}

double worth(const WidthWorth& of, std::vector<std::int64_t> widths) { return of(widths); }

TEST(WidthWorth, CountsInOctaves) {
  const WidthWorth of = worth_of_counts(space_of_two(64, 32));
  EXPECT_DOUBLE_EQ(worth(of, {64, 32}), 0);
  EXPECT_DOUBLE_EQ(worth(of, {32, 32}), -1);
  EXPECT_DOUBLE_EQ(worth(of, {16, 8}), -4);
}

TEST(WidthWorth, OneRuinedLayerIsWorseThanAllALittleNarrower) {
  const WidthWorth of = worth_of_counts(space_of_two(100, 100));
  EXPECT_LT(worth(of, {2, 100}), worth(of, {40, 40}));
}

TEST(WidthWorth, TheLargestImportancesStay) {
  const WidthWorth of = worth_of_importances(space_of_two(4, 2), {{1, 4, 0, 3}, {}});
  EXPECT_NEAR(worth(of, {1, 2}), std::log2(4.0 / 8), 1e-12);
  EXPECT_NEAR(worth(of, {2, 2}), std::log2(7.0 / 8), 1e-12);
  EXPECT_NEAR(worth(of, {3, 2}), 0, 1e-12);
  EXPECT_NEAR(worth(of, {4, 1}), -1, 1e-12) << "without importances channels count";
}

TEST(WidthWorth, NeverFallsAsAWidthGrowsAndEachChannelAddsLess) {
  const WidthWorth of =
      worth_of_importances(space_of_two(6, 3), {{0.1, 7, 1e-300, 3, 2, 1e300}, {0, 0, 0}});
  for (const auto& values : of.values)
    for (std::size_t i = 2; i < values.size(); ++i) {
      EXPECT_GE(values[i], values[i - 1]);
      if (i > 2) {
        EXPECT_LE(values[i] - values[i - 1], values[i - 1] - values[i - 2] + 1e-12);
      }
    }
  EXPECT_EQ(of.values[0].back(), 0);
  EXPECT_EQ(of.values[1].back(), 0);
}

TEST(WidthWorth, EvenScoresCountChannels) {
  for (const char* spec : {"cnn5", "lenet5", "resnet18", "transformer", "lstm", "mobilenet_v2"}) {
    const WidthSpace space = make_space(open_model(spec));
    ChannelScores scores;
    const std::vector<ChannelSet> sets = channel_sets(space.original);
    for (const ChannelSet& set : sets)
      scores.emplace_back(static_cast<std::size_t>(set.channels), 3.0);
    const WidthWorth by_scores = worth_of_scores(space, scores), counted = worth_of_counts(space);
    for (std::size_t i = 0; i < space.widths.size(); ++i)
      for (std::size_t kept = 1; kept < counted.values[i].size(); ++kept)
        EXPECT_NEAR(by_scores.values[i][kept], counted.values[i][kept], 1e-9) << spec;
  }
}

TEST(WidthWorth, ScoresGoToTheWidthTheyBelongTo) {
  const WidthSpace space = make_space(open_model("lenet5"));
  const std::vector<ChannelSet> sets = channel_sets(space.original);
  ChannelScores scores;
  for (const ChannelSet& set : sets) {
    scores.emplace_back(static_cast<std::size_t>(set.channels), 1.0);
    if (set.name == space.widths[2].name) {
      scores.back().assign(static_cast<std::size_t>(set.channels), 0.0);
      scores.back()[5] = 1;
    }
  }
  const WidthWorth by_scores = worth_of_scores(space, scores), counted = worth_of_counts(space);
  for (std::size_t i = 0; i < space.widths.size(); ++i)
    EXPECT_NEAR(by_scores.values[i][1], i == 2 ? 0 : counted.values[i][1], 1e-9);
}

TEST(WidthWorth, BadScoresAreRefused) {
  const WidthSpace space = make_space(open_model("lenet5"));
  EXPECT_THROW(worth_of_scores(space, {}), Error);
  EXPECT_THROW(worth_of_scores(space, ChannelScores(channel_sets(space.original).size(), {1, 2})),
               Error);
}

TEST(WidthWorth, BadImportancesAreRefused) {
  const WidthSpace space = space_of_two(2, 2);
  const std::vector<std::vector<std::vector<double>>> wrong{
      {{1, 2}}, {{1, 2}, {1}}, {{1, 2}, {1, -1}}, {{1, 2}, {1, NAN}}, {{1, 2}, {INFINITY, 1}}};
  for (const auto& importances : wrong)
    EXPECT_THROW(worth_of_importances(space, importances), Error);
}

}  // namespace
}  // namespace ampere
