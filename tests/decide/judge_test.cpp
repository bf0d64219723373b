#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/decide.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Every interval reaches a tenth to both sides.
Alternative alternative(const std::string& name, double energy_j, double time_s,
                        std::optional<std::int64_t> peak_bytes = std::nullopt) {
  Alternative each;
  each.name = name;
  each.peak_bytes = peak_bytes;
  each.estimate.emplace();
  each.estimate->energy_j = Interval{energy_j, 0.9 * energy_j, 1.1 * energy_j};
  each.estimate->time_s = Interval{time_s, 0.9 * time_s, 1.1 * time_s};
  return each;
}

Alternative unknown(const std::string& name) {
  Alternative each;
  each.name = name;
  each.reason = "never profiled";
  return each;
}

Choices judged(std::vector<Alternative> alternatives, const Goal& goal) {
  Choices choices;
  choices.alternatives = std::move(alternatives);
  judge(choices, goal);
  return choices;
}

Goal goal_of(Wish wish, std::optional<Joules> energy = {}, std::optional<Seconds> time = {},
             std::optional<std::int64_t> memory = {}) {
  Goal goal;
  goal.wish = wish;
  goal.most_energy = energy;
  goal.most_time = time;
  goal.memory_bytes = memory;
  return goal;
}

TEST(Judging, RanksByTheWish) {
  const std::vector<Alternative> all{alternative("a", 100, 1), alternative("b", 50, 2),
                                     unknown("c"), alternative("d", 120, 3)};
  const Choices by_energy = judged(all, goal_of(Wish::energy));
  EXPECT_EQ(by_energy.best, 1u);
  EXPECT_EQ(by_energy.alternatives[0].rank, 2);
  EXPECT_EQ(by_energy.alternatives[2].rank, 0);
  const Choices by_time = judged(all, goal_of(Wish::time));
  EXPECT_EQ(by_time.best, 0u);
  EXPECT_EQ(by_time.least_energy, 1u);
  EXPECT_EQ(by_time.least_time, 0u);
  EXPECT_TRUE(by_time.alternatives[0].on_front);
  EXPECT_TRUE(by_time.alternatives[1].on_front);
  EXPECT_FALSE(by_time.alternatives[3].on_front);
  EXPECT_EQ(by_time.why_no_knee, "the front has only two alternatives");
}

TEST(Judging, ALimitHoldsByTheUpperEndOfTheInterval) {
  const Choices choices =
      judged({alternative("over", 60, 1), alternative("near", 50, 2), alternative("under", 45, 9)},
             goal_of(Wish::energy, Joules{52}));
  EXPECT_EQ(choices.alternatives[0].energy, Standing::outside);
  EXPECT_EQ(choices.alternatives[1].energy, Standing::uncertain);
  EXPECT_EQ(choices.alternatives[2].energy, Standing::inside);
  EXPECT_EQ(choices.best, 2u);
  EXPECT_THAT(most_promising(choices, goal_of(Wish::energy)), ElementsAre(2u, 1u, 0u));
}

TEST(Judging, BothLimitsCount) {
  const Choices choices = judged({alternative("slow", 10, 100), alternative("hungry", 100, 10)},
                                 goal_of(Wish::energy, Joules{50}, Seconds{50}));
  EXPECT_FALSE(choices.best);
  EXPECT_THAT(choices.why_no_best, HasSubstr("the closest in energy is slow"));
  EXPECT_THAT(choices.why_no_best, HasSubstr("the closest in time is hungry"));
}

TEST(Judging, WhatDoesNotFitIsNeitherBestNorOnTheFront) {
  const Choices choices = judged(
      {alternative("large", 10, 1, 30'000'000'000), alternative("tight", 20, 2, 23'000'000'000),
       alternative("small", 30, 3, 8'000'000'000), alternative("any", 40, 4)},
      goal_of(Wish::energy, {}, {}, 24'000'000'000));
  EXPECT_EQ(choices.alternatives[0].memory, Standing::outside);
  EXPECT_FALSE(choices.alternatives[0].on_front);
  EXPECT_EQ(choices.alternatives[1].memory, Standing::uncertain);
  EXPECT_EQ(choices.alternatives[1].rank, 0);
  EXPECT_TRUE(choices.alternatives[1].on_front);
  EXPECT_EQ(choices.alternatives[2].memory, Standing::inside);
  EXPECT_EQ(choices.best, 2u);
  EXPECT_EQ(choices.alternatives[3].memory, Standing::unknown);
  EXPECT_EQ(choices.alternatives[3].rank, 2);
}

TEST(Judging, TheMemoryOfTheDeviceCountsUnlessAnotherIsNamed) {
  std::vector<Alternative> all{alternative("large", 10, 1, 30'000'000'000),
                               alternative("small", 30, 3, 8'000'000'000),
                               alternative("any", 40, 4)};
  for (Alternative& each : all) each.profile.device.hardware = "large GPU, 24 GiB";
  const Choices choices = judged(all, goal_of(Wish::energy));
  EXPECT_EQ(choices.alternatives[0].memory, Standing::outside);
  EXPECT_EQ(choices.best, 1u);
  EXPECT_EQ(choices.alternatives[2].memory, Standing::none) << "nobody asked about memory";
  const Choices named = judged(all, goal_of(Wish::energy, {}, {}, 80'000'000'000));
  EXPECT_EQ(named.best, 0u);
  EXPECT_EQ(named.alternatives[2].memory, Standing::unknown);
}

TEST(Judging, SaysWhichNeedsLeastMemoryWhereNoneFits) {
  const Choices choices =
      judged({alternative("a", 1, 1, 9'000'000'000), alternative("b", 2, 2, 7'000'000'000)},
             goal_of(Wish::energy, {}, {}, 2'000'000'000));
  EXPECT_FALSE(choices.best);
  EXPECT_THAT(choices.why_no_best, HasSubstr("b needs least, 7 GB"));
}

TEST(Judging, AnIntervalMayReachTheFront) {
  const Choices choices = judged(
      {alternative("a", 100, 10), alternative("b", 105, 10.5), alternative("c", 200, 20)}, {});
  EXPECT_FALSE(choices.alternatives[1].on_front);
  EXPECT_TRUE(choices.alternatives[1].maybe_on_front);
  EXPECT_FALSE(choices.alternatives[2].maybe_on_front);
  EXPECT_EQ(choices.why_no_knee, "one alternative is best in both energy and time");
}

TEST(Judging, NothingKnownIsSaid) {
  const Choices choices = judged({unknown("a")}, {});
  EXPECT_FALSE(choices.best);
  EXPECT_EQ(choices.why_no_best, "nothing could be estimated");
}

}  // namespace
}  // namespace ampere
