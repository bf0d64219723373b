#include "method/ampere/kind_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/law_rig.h"

namespace ampere {
namespace {

using Features = Campaign::Features;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

// An output kind: no companions, one feature, up to `upper`.
PlannedKind one_feature(std::int64_t upper) {
  const auto blocks = parse_blocks(open_model("lenet5"));
  return {blocks.back().kind, {}, {upper}};
}

Observation answer(const PlannedKind& planned, const Features& features,
                   std::optional<double> joules) {
  Observation observation;
  observation.model = make_variant(*planned.kind, features, planned.companions);
  observation.purpose = Purpose::variant;
  observation.kind = planned.kind->key;
  observation.features = features;
  if (joules) {
    observation.measurement.emplace();
    observation.measurement->energy_j = {*joules, 0.001 * *joules};
    observation.measurement->time_s = {*joules, 0.001 * *joules};
  } else {
    observation.failure = "out of memory";
  }
  return observation;
}

std::vector<Features> play(Campaign& campaign, const PlannedKind& planned,
                           const std::function<std::optional<double>(double)>& law) {
  std::vector<Features> asked;
  while (const auto point = campaign.suggest()) {
    asked.push_back(*point);
    campaign.tell(answer(planned, *point, law(static_cast<double>((*point)[0]))));
    EXPECT_LT(asked.size(), 1000u) << "the loop must end";
    if (asked.size() >= 1000) break;
  }
  return asked;
}

TEST(Campaign, BeginsAtTheCorners) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  Campaign campaign(planned, {}, {}, none);
  EXPECT_EQ(campaign.suggest(), Features{1});
  campaign.tell(answer(planned, {1}, 1));
  EXPECT_EQ(campaign.suggest(), Features{84});
}

TEST(Campaign, NeverAsksForOnePointTwice) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  ProfileOptions options;
  options.points = 300;
  options.tolerance = 1e-12;
  Campaign campaign(planned, options, {}, none);
  auto asked = play(campaign, planned, [](double c) { return 5 + c; });
  std::ranges::sort(asked);
  EXPECT_EQ(std::ranges::adjacent_find(asked), asked.end());
  EXPECT_EQ(asked.size(), 84u) << "every channel count, then no candidate is left";
}

TEST(Campaign, StopsAtThePointLimit) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  ProfileOptions options;
  options.points = 18;
  options.tolerance = 1e-12;
  Campaign campaign(planned, options, {}, none);
  EXPECT_EQ(play(campaign, planned, [](double c) { return 5 + c; }).size(), 6u)
      << "a third for one feature";
}

TEST(Campaign, StopsWhenCertainEnough) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  ProfileOptions options;
  options.points = 90;
  Campaign campaign(planned, options, {}, none);
  const auto asked = play(campaign, planned, [](double c) { return 5 + c; });
  EXPECT_LT(asked.size(), 10u) << "a line needs few points";
  EXPECT_LT(*campaign.uncertainty(), options.tolerance);
}

TEST(Campaign, PutsTheThirdPointWhereItKnowsLeast) {
  const PlannedKind planned = one_feature(101);
  const Fits none;
  Campaign campaign(planned, {}, {}, none);
  campaign.tell(answer(planned, {1}, 1));
  campaign.tell(answer(planned, {101}, 2));
  ASSERT_TRUE(campaign.suggest());
  EXPECT_NEAR(static_cast<double>((*campaign.suggest())[0]), 51, 3);
}

TEST(Campaign, KeepsToWhatIsAllowed) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  ProfileOptions options;
  options.points = 60;
  options.tolerance = 0;
  const auto width = [](const Model& variant) { return variant.layers().front().output.channels; };
  options.allowed = [&](const Model& variant) { return width(variant) % 10 == 4; };
  Campaign campaign(planned, options, {}, none);
  const std::vector<Features> asked =
      play(campaign, planned, [](double x) { return x + std::sin(x); });
  EXPECT_EQ(asked.size(), 9u);
  for (const Features& point : asked) EXPECT_EQ(point[0] % 10, 4);

  options.allowed = [](const Model&) { return false; };
  Campaign nothing(planned, options, {}, none);
  EXPECT_EQ(nothing.suggest(), std::nullopt);
}

TEST(Campaign, EndsWhenEverythingFails) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  Campaign campaign(planned, {}, {}, none);
  const auto asked = play(campaign, planned, [](double) { return std::nullopt; });
  EXPECT_THAT(asked, ElementsAre(Features{1}, Features{84}));
  EXPECT_FALSE(campaign.fit());
}

TEST(Campaign, GoesOnWhereOnlyTheWidestFails) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  Campaign campaign(planned, {}, {}, none);
  play(campaign, planned, [](double c) { return c > 60 ? std::nullopt : std::optional(5 + c); });
  EXPECT_TRUE(campaign.fit());
  EXPECT_GE(campaign.points(), 2);
  EXPECT_GE(campaign.failures(), 1);
}

TEST(Campaign, ResumesWhereItStopped) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  ProfileOptions options;
  options.tolerance = 1e-12;
  const auto law = [](double c) { return 5 + c + 0.01 * c * c; };
  Campaign whole(planned, options, {}, none);
  const auto asked = play(whole, planned, law);

  std::vector<Observation> first_half;
  for (std::size_t i = 0; i < asked.size() / 2; ++i)
    first_half.push_back(answer(planned, asked[i], law(static_cast<double>(asked[i][0]))));
  Campaign resumed(planned, options, first_half, none);
  const auto rest = play(resumed, planned, law);
  EXPECT_TRUE(std::ranges::equal(rest, std::span(asked).subspan(asked.size() / 2)));
}

TEST(Campaign, RespectsWhatChannelsMustBeAMultipleOf) {
  PlannedKind planned;
  for (const Block& block : parse_blocks(open_model("transformer")))
    if (block.kind->role == Role::hidden && block.kind->features[0].multiple_of == 4)
      planned = {block.kind, {}, block.features};
  ASSERT_TRUE(planned.kind);
  const Fits none;
  const Campaign campaign(planned, {}, {}, none);
  EXPECT_EQ((*campaign.suggest())[0], 4);
}

}  // namespace
}  // namespace ampere
