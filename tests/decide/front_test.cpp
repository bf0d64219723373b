#include "decide/front.h"

#include <gtest/gtest.h>

#include <random>

namespace ampere {
namespace {

TEST(ParetoFront, LeavesOutWhatAnotherBeatsInBoth) {
  const std::vector<TimeEnergy> points{{1, 10}, {2, 5}, {3, 6}, {4, 1}};
  EXPECT_EQ(pareto_front(points), (std::vector<bool>{true, true, false, true}));
}

TEST(ParetoFront, KeepsEqualPointsTogether) {
  const std::vector<TimeEnergy> points{{1, 1}, {1, 1}, {1, 2}};
  EXPECT_EQ(pareto_front(points), (std::vector<bool>{true, true, false}));
}

TEST(ParetoFront, OfNothingIsNothing) { EXPECT_TRUE(pareto_front({}).empty()); }

// By the definition, point against point.
TEST(ParetoFront, HasNoPointThatIsBeatenAndMissesNone) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> number(0, 12);  // so that many are equal
  for (int round = 0; round < 200; ++round) {
    std::vector<TimeEnergy> points(20);
    for (TimeEnergy& point : points)
      point = {static_cast<double>(number(random)), static_cast<double>(number(random))};
    const std::vector<bool> front = pareto_front(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      bool beaten = false;
      for (const TimeEnergy& other : points)
        beaten |= (other.time < points[i].time && other.energy <= points[i].energy) ||
                  (other.time <= points[i].time && other.energy < points[i].energy);
      EXPECT_EQ(front[i], !beaten);
    }
  }
}

TEST(Knee, IsFarthestBelowTheLineBetweenTheEnds) {
  const std::vector<TimeEnergy> front{{0, 100}, {1, 20}, {5, 10}, {10, 0}};
  EXPECT_EQ(knee_of(front), 1u);
}

TEST(Knee, DoesNotDependOnUnits) {
  const std::vector<TimeEnergy> front{{0, 100}, {6, 70}, {3, 45}, {10, 0}};
  std::vector<TimeEnergy> other = front;
  for (TimeEnergy& point : other) point = {point.time * 3600 + 7, point.energy / 1e6 - 3};
  EXPECT_EQ(knee_of(front), 2u);
  EXPECT_EQ(knee_of(other), 2u);
}

TEST(Knee, IsNoneWithoutThreePointsOrAboveTheLine) {
  EXPECT_FALSE(knee_of(std::vector<TimeEnergy>{{0, 1}, {1, 0}}));
  EXPECT_FALSE(knee_of(std::vector<TimeEnergy>{{0, 10}, {9, 9}, {10, 0}}));
}

}  // namespace
}  // namespace ampere
