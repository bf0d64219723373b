#include "method/dual/time_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "ampere/error.h"
#include "method/dual/time_table.h"
#include "method/dual/width_features.h"

namespace ampere {
namespace {

using Features = std::vector<std::int64_t>;
using Law = std::function<double(const Features&)>;

double product_law(const Features& c) {
  double size = 1;
  for (const std::int64_t width : c) size *= static_cast<double>(width);
  return 1e-5 + 2e-9 * size;
}

// Twice as slow where the rows of a 3x3 convolution take another kernel.
double jagged_law(const Features& c) {
  return product_law(c) * (c[0] > 36 && 9 * c.back() % 64 >= 38 ? 2 : 1);
}

std::vector<TimedPoint> draw(int count, std::size_t features, const Law& law, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<TimedPoint> points;
  for (int i = 0; i < count; ++i) {
    Features c;
    for (std::size_t j = 0; j < features; ++j) c.push_back(1 + static_cast<int>(random() % 128));
    points.push_back({c, law(c), 5e-5 + 1e-7 * static_cast<double>(c[0])});
  }
  return points;
}

// Mean relative error at widths that were not timed.
double error_of(const TimeMap& map, std::size_t features, const Law& law) {
  double sum = 0;
  int count = 0;
  for (const TimedPoint& point : draw(300, features, law, 99)) {
    if (map.parts().timed.contains(point.features)) continue;
    sum += std::abs(map(point.features).device_s / point.device_s - 1);
    ++count;
  }
  return sum / count;
}

TEST(TimeTable, SaysWhatTheMapSays) {
  for (const std::size_t features : {1, 2, 3})
    for (const int timed : {1, 5, 100}) {
      const TimeMap map = TimeMap::fit(draw(timed, features, jagged_law, 1), 9);
      TimeTable table(map);
      for (int again = 0; again < 2; ++again)
        for (const TimedPoint& point : draw(200, features, jagged_law, 7)) {
          const BlockTime exact = map(point.features), found = table(point.features);
          ASSERT_NEAR(found.device_s / exact.device_s, 1, 1e-11) << features << " " << timed;
          ASSERT_NEAR(found.host_s / exact.host_s, 1, 1e-11);
          ASSERT_EQ(found.device_error, exact.device_error);
        }
    }
  const TimeMap map = TimeMap::fit(draw(20, 2, product_law, 1), 9);
  TimeTable table(map);
  EXPECT_THROW(table({1}), Error);
}

TEST(TimeMap, FindsASmoothLaw) {
  EXPECT_LT(error_of(TimeMap::fit(draw(40, 1, product_law, 1), 9), 1, product_law), 0.01);
  EXPECT_LT(error_of(TimeMap::fit(draw(150, 2, product_law, 1), 9), 2, product_law), 0.01);
}

// A map repeats what was timed. What it says of the same blocks without having seen them is as far
// off as it is at widths that were never timed.
TEST(TimeMap, SaysWhatItWouldHaveSaidOfTimedBlocks) {
  const std::vector<TimedPoint> points = draw(300, 2, jagged_law, 1);
  const TimeMap::Validated fitted = TimeMap::fit_validated(points, 9);
  ASSERT_EQ(fitted.untimed.size(), fitted.map.parts().timed.size());
  double sum = 0;
  for (const auto& [features, device_s] : fitted.untimed) {
    EXPECT_NEAR(fitted.map(features).device_s / jagged_law(features), 1, 1e-9);
    sum += std::abs(device_s / jagged_law(features) - 1);
  }
  const double error = sum / static_cast<double>(fitted.untimed.size());
  EXPECT_NEAR(error, error_of(fitted.map, 2, jagged_law), 0.03);
  EXPECT_GT(error, 0.005);
}

TEST(TimeMap, SaysNothingOfABlockThatNoOtherStandsInFor) {
  EXPECT_TRUE(TimeMap::fit_validated({{{16, 16}, 3e-3, 1e-3}}, 9).untimed.empty());
  EXPECT_EQ(TimeMap::fit_validated({{{8}, 1e-3, {}}, {{16}, 2e-3, {}}}, 9).untimed.size(), 2u);
}

TEST(TimeMap, FindsJumpsWithTreesThatAProcessMisses) {
  const std::vector<TimedPoint> points = draw(300, 2, jagged_law, 1);
  const TimeMap map = TimeMap::fit(points, 9);
  EXPECT_GT(map.parts().trees_weight, 0);
  TimeMap::Parts smooth = map.parts();
  smooth.trees_weight = 0;
  EXPECT_LT(error_of(map, 2, jagged_law), 0.7 * error_of(TimeMap(smooth), 2, jagged_law));
  EXPECT_LT(error_of(map, 2, jagged_law), 0.1);
}

TEST(TimeMap, StatesTheErrorItHas) {
  const TimeMap smooth = TimeMap::fit(draw(150, 2, product_law, 1), 9),
                jagged = TimeMap::fit(draw(300, 2, jagged_law, 1), 9);
  EXPECT_LT(smooth.parts().device_error, jagged.parts().device_error);
  double squares = 0;
  for (const TimedPoint& point : draw(300, 2, jagged_law, 98))
    squares += std::pow(std::log(jagged(point.features).device_s / point.device_s), 2);
  const double rms = std::sqrt(squares / 300);
  EXPECT_GT(jagged.parts().device_error, 0.5 * rms);
  EXPECT_LT(jagged.parts().device_error, 2 * rms);
}

TEST(TimeMap, KnowsWhatWasTimed) {
  const std::vector<TimedPoint> points = draw(60, 2, jagged_law, 1);
  const TimeMap map = TimeMap::fit(points, 9);
  for (const TimedPoint& point : points) {
    EXPECT_NEAR(map(point.features).device_s, point.device_s, 1e-12 * point.device_s);
    EXPECT_LT(map(point.features).device_error, map.parts().device_error);
  }
}

TEST(TimeMap, RepeatedTimingsAreAveraged) {
  const TimeMap map = TimeMap::fit({{{4}, 1e-3, {}}, {{4}, 4e-3, {}}, {{8}, 1e-2, {}}}, 1);
  EXPECT_NEAR(map({4}).device_s, 2e-3, 1e-12);
}

TEST(TimeMap, LearnsABlockThatIsTimedLater) {
  TimeMap map = TimeMap::fit(draw(60, 2, product_law, 1), 9);
  const Features inside{33, 77}, outside{500, 77};
  EXPECT_FALSE(map.covers(outside));
  const double host = map(inside).host_s;
  map.learn({inside, 0.25, 0.5});
  map.learn({outside, 0.75, {}});
  EXPECT_EQ(map(inside).device_s, 0.25);
  EXPECT_EQ(map(inside).device_error, map.parts().repeat_error);
  EXPECT_EQ(map(inside).host_s, host) << "the host's own time is too noisy to be known from one";
  EXPECT_EQ(map(outside).device_s, 0.75);
  EXPECT_TRUE(map.covers(outside)) << "timed is covered";
}

TEST(TimeMap, CoversTheRangeThatWasTimed) {
  const TimeMap map = TimeMap::fit({{{4, 10}, 1, {}}, {{8, 3}, 2, {}}}, 1);
  EXPECT_TRUE(map.covers({4, 3}));
  EXPECT_TRUE(map.covers({8, 10}));
  EXPECT_FALSE(map.covers({3, 5}));
  EXPECT_FALSE(map.covers({9, 5}));
  EXPECT_FALSE(map.covers({5, 11}));
}

TEST(TimeMap, OfAKindWithoutFeaturesIsAConstant) {
  const TimeMap map = TimeMap::fit({{{}, 1e-3, 2e-3}, {{}, 4e-3, 2e-3}}, 9);
  EXPECT_NEAR(map({}).device_s, 2e-3, 1e-12);
  EXPECT_NEAR(map({}).host_s, 2e-3, 1e-12);
  EXPECT_TRUE(map.covers({}));
}

TEST(TimeMap, OfOnePointIsThatPointAndUnsureElsewhere) {
  const TimeMap map = TimeMap::fit({{{16, 16}, 3e-3, 1e-3}}, 9);
  EXPECT_NEAR(map({16, 16}).device_s, 3e-3, 1e-12);
  EXPECT_NEAR(map({1, 99}).device_s, 3e-3, 1e-12);
  EXPECT_NEAR(map({1, 99}).host_s, 1e-3, 1e-12);
  EXPECT_GE(map({1, 99}).device_error, 0.1);
}

TEST(TimeMap, OfTwoPointsLiesBetweenThem) {
  const TimeMap map = TimeMap::fit({{{10}, 1e-3, 1e-3}, {{40}, 4e-3, 1e-3}}, 1);
  EXPECT_NEAR(map({10}).device_s, 1e-3, 1e-12);
  EXPECT_NEAR(map({40}).device_s, 4e-3, 1e-12);
  EXPECT_GE(map({20}).device_s, 1e-3);
  EXPECT_LE(map({20}).device_s, 4e-3);
  EXPECT_NEAR(map({20}).host_s, 1e-3, 1e-9);
}

TEST(TimeMap, HostTimeIsSmoothedNotRepeated) {
  std::vector<TimedPoint> points = draw(100, 1, product_law, 1);
  std::mt19937_64 random(2);
  for (TimedPoint& point : points)
    point.host_s = 1e-4 * (1 + 0.2 * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5));
  const TimeMap map = TimeMap::fit(points, 1);
  for (const TimedPoint& point : points) EXPECT_NEAR(map(point.features).host_s, 1e-4, 5e-6);
}

TEST(TimeMap, WithoutHostTimesThereIsNone) {
  std::vector<TimedPoint> points = draw(20, 1, product_law, 1);
  for (TimedPoint& point : points) point.host_s.reset();
  const TimeMap map = TimeMap::fit(points, 1);
  EXPECT_FALSE(map.parts().has_host);
  EXPECT_EQ(map({5}).host_s, 0);
}

TEST(TimeMap, TheSamePointsGiveTheSameMapInAnyOrder) {
  std::vector<TimedPoint> points = draw(50, 2, jagged_law, 1);
  const TimeMap map = TimeMap::fit(points, 9);
  std::ranges::reverse(points);
  const TimeMap again = TimeMap::fit(points, 9);
  for (const TimedPoint& point : draw(20, 2, jagged_law, 3))
    EXPECT_EQ(map(point.features).device_s, again(point.features).device_s);
}

TEST(TimeMap, OfNothingIsUnknown) {
  try {
    TimeMap::fit({}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
  }
}

TEST(TimeMap, AnotherNumberOfWidthsIsRefused) {
  TimeMap map = TimeMap::fit(draw(20, 2, product_law, 1), 1);
  for (const Features& features : {Features{}, Features{1}, Features{1, 2, 3}}) {
    EXPECT_THROW(map(features), Error);
    EXPECT_THROW(map.covers(features), Error);
    EXPECT_THROW(map.learn({features, 1, {}}), Error);
  }
}

TEST(TimeMap, TileColumnsAreThoseOfTheFeatures) {
  for (const std::size_t count : {0, 1, 2, 3})
    EXPECT_EQ(TimeMap::tile_columns(count), tile_features(Features(count, 7), 25).size());
}

}  // namespace
}  // namespace ampere
