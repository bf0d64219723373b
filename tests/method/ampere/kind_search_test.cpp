#include "method/ampere/kind_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/law_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using Features = KindSearch::Features;
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

std::vector<Features> play(KindSearch& search, const PlannedKind& planned,
                           const std::function<std::optional<double>(double)>& law) {
  std::vector<Features> asked;
  while (const auto point = search.suggest()) {
    asked.push_back(*point);
    search.tell(answer(planned, *point, law(static_cast<double>((*point)[0]))));
    EXPECT_LT(asked.size(), 1000u) << "the loop must end";
    if (asked.size() >= 1000) break;
  }
  return asked;
}

TEST(KindSearch, BeginsAtTheCorners) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindSearch search(planned, {}, {}, none);
  EXPECT_EQ(search.suggest(), Features{1});
  search.tell(answer(planned, {1}, 1));
  EXPECT_EQ(search.suggest(), Features{84});
}

TEST(KindSearch, NeverAsksForOnePointTwice) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindOptions options;
  options.points = 300;
  options.tolerance = 1e-12;
  KindSearch search(planned, options, {}, none);
  auto asked = play(search, planned, [](double c) { return 5 + c; });
  std::ranges::sort(asked);
  EXPECT_EQ(std::ranges::adjacent_find(asked), asked.end());
  EXPECT_EQ(asked.size(), 84u) << "every channel count, then no candidate is left";
}

TEST(KindSearch, StopsAtThePointLimit) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindOptions options;
  options.points = 18;
  options.tolerance = 1e-12;
  KindSearch search(planned, options, {}, none);
  EXPECT_EQ(play(search, planned, [](double c) { return 5 + c; }).size(), 6u)
      << "a third for one feature";
}

TEST(KindSearch, StopsWhenCertainEnough) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindOptions options;
  options.points = 90;
  KindSearch search(planned, options, {}, none);
  const auto asked = play(search, planned, [](double c) { return 5 + c; });
  EXPECT_LT(asked.size(), 10u) << "a line needs few points";
  EXPECT_LT(*search.uncertainty(), options.tolerance);
}

TEST(KindSearch, PutsTheThirdPointWhereItKnowsLeast) {
  const PlannedKind planned = one_feature(101);
  const Fits none;
  KindSearch search(planned, {}, {}, none);
  search.tell(answer(planned, {1}, 1));
  search.tell(answer(planned, {101}, 2));
  ASSERT_TRUE(search.suggest());
  EXPECT_NEAR(static_cast<double>((*search.suggest())[0]), 51, 3);
}

TEST(KindSearch, KeepsToWhatIsAllowed) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindOptions options;
  options.points = 60;
  options.tolerance = 0;
  const auto width = [](const Model& variant) { return variant.layers().front().output.channels; };
  options.allowed = [&](const Model& variant) { return width(variant) % 10 == 4; };
  KindSearch search(planned, options, {}, none);
  const std::vector<Features> asked =
      play(search, planned, [](double x) { return x + std::sin(x); });
  EXPECT_EQ(asked.size(), 9u);
  for (const Features& point : asked) EXPECT_EQ(point[0] % 10, 4);

  options.allowed = [](const Model&) { return false; };
  KindSearch nothing(planned, options, {}, none);
  EXPECT_EQ(nothing.suggest(), std::nullopt);
}

TEST(KindSearch, EndsWhenEverythingFails) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindSearch search(planned, {}, {}, none);
  const auto asked = play(search, planned, [](double) { return std::nullopt; });
  EXPECT_THAT(asked, ElementsAre(Features{1}, Features{84}));
  EXPECT_FALSE(search.fit());
}

TEST(KindSearch, GoesOnWhereOnlyTheWidestFails) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindSearch search(planned, {}, {}, none);
  play(search, planned, [](double c) { return c > 60 ? std::nullopt : std::optional(5 + c); });
  EXPECT_TRUE(search.fit());
  EXPECT_GE(search.points(), 2);
  EXPECT_GE(search.failures(), 1);
}

TEST(KindSearch, ResumesWhereItStopped) {
  const PlannedKind planned = one_feature(84);
  const Fits none;
  KindOptions options;
  options.tolerance = 1e-12;
  const auto law = [](double c) { return 5 + c + 0.01 * c * c; };
  KindSearch whole(planned, options, {}, none);
  const auto asked = play(whole, planned, law);

  std::vector<Observation> first_half;
  for (std::size_t i = 0; i < asked.size() / 2; ++i)
    first_half.push_back(answer(planned, asked[i], law(static_cast<double>(asked[i][0]))));
  KindSearch resumed(planned, options, first_half, none);
  const auto rest = play(resumed, planned, law);
  EXPECT_TRUE(std::ranges::equal(rest, std::span(asked).subspan(asked.size() / 2)));
}

// Profiles the input and output kinds of the plan, which may be companions, then the kind itself,
// and returns the points at which it was measured.
std::vector<Features> profiled_points(const PlannedKind& planned,
                                      std::span<const PlannedKind> plan) {
  std::vector<PlannedKind> wanted;
  for (const PlannedKind& other : plan)
    if (other.kind->role != Role::hidden) wanted.push_back(other);
  wanted.push_back(planned);
  testing_support::LawRig rig(testing_support::additive_law);
  const auto store = open_store("memory:");
  KindOptions options;
  options.tolerance = 0;
  Campaign campaign = testing_support::TestBench{rig, *store}.campaign();
  campaign.run(*suggest_points(wanted, *store, campaign.profile(), {}, options));
  std::vector<Features> points;
  for (const Observation& observation :
       store->find({.profile = campaign.profile(),
                    .purpose = Purpose::variant,
                    .kind = planned.kind->key}))
    points.push_back(observation.features);
  return points;
}

TEST(KindSearch, SeesTheInsideOfAKindWithFiveFeatures) {
  const std::vector<Model> googlenet{open_model("googlenet")};
  const std::vector<PlannedKind> plan = plan_profile(googlenet);
  const auto planned =
      std::ranges::find_if(plan, [](const PlannedKind& kind) { return kind.upper.size() == 5; });
  ASSERT_NE(planned, plan.end());
  const std::vector<Features> points = profiled_points(*planned, plan);
  ASSERT_EQ(points.size(), 25u);
  const auto at_an_end = [&](const Features& point, std::size_t axis) {
    return point[axis] == planned->kind->features[axis].multiple_of ||
           point[axis] == planned->upper[axis];
  };
  std::size_t corners = 0, inside = 0;
  for (const Features& point : points) {
    std::size_t ends = 0;
    for (std::size_t axis = 0; axis < 5; ++axis) ends += at_an_end(point, axis) ? 1 : 0;
    corners += ends == 5 ? 1 : 0;
    inside += ends == 0 ? 1 : 0;
  }
  EXPECT_LE(corners, points.size() / 2);
  EXPECT_GE(corners, 8u) << "as many as there are in a quarter fraction";
  EXPECT_GE(inside, 1u);
}

TEST(KindSearch, RespectsWhatChannelsMustBeAMultipleOf) {
  PlannedKind planned;
  for (const Block& block : parse_blocks(open_model("transformer")))
    if (block.kind->role == Role::hidden && block.kind->features[0].multiple_of == 4)
      planned = {block.kind, {}, block.features};
  ASSERT_TRUE(planned.kind);
  const Fits none;
  const KindSearch search(planned, {}, {}, none);
  EXPECT_EQ((*search.suggest())[0], 4);
}

}  // namespace
}  // namespace ampere
