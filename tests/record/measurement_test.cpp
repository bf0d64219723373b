#include "ampere/measurement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ampere/error.h"

namespace ampere {
namespace {

Window window(std::int64_t iterations, double time_s, double energy_j,
              const std::string& rejected = "") {
  Window result;
  result.iterations = iterations;
  result.time = Seconds(time_s);
  result.energy = Joules{energy_j};
  result.rejected = rejected;
  return result;
}

Measurement summarized(std::vector<Window> windows) {
  Measurement measurement;
  measurement.windows = std::move(windows);
  summarize(measurement);
  return measurement;
}

TEST(Summarize, GivesPerIterationMeansAndTheUsualStandardError) {
  const Measurement m = summarized({window(10, 1, 10), window(10, 2, 20), window(10, 3, 30)});
  EXPECT_DOUBLE_EQ(m.energy_j.mean, 2);
  EXPECT_DOUBLE_EQ(m.time_s.mean, 0.2);
  EXPECT_DOUBLE_EQ(m.energy_j.stddev.value(), 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(m.time_s.stddev.value(), 0.1 / std::sqrt(3.0));
  EXPECT_EQ(m.energy_j.degrees, 2);
}

TEST(Summarize, WeighsWindowsByTheirIterations) {
  const Measurement m = summarized({window(1, 1, 4), window(3, 3, 6)});
  EXPECT_DOUBLE_EQ(m.energy_j.mean, 10.0 / 4);
  // wᵢ = 1/4, 3/4; rᵢ = 4, 2: √(2/1 · ((1.5/4)² + (3·0.5/4)²)).
  EXPECT_DOUBLE_EQ(m.energy_j.stddev.value(), std::sqrt(2 * (0.140625 + 0.140625)));
  EXPECT_DOUBLE_EQ(m.time_s.stddev.value(), 0);
}

TEST(Summarize, LeavesRejectedWindowsOutButKeepsThem) {
  const Measurement m = summarized(
      {window(10, 1, 10), window(0, 0, 0, "another process on the device"), window(10, 1, 10)});
  EXPECT_EQ(m.windows.size(), 3u);
  EXPECT_DOUBLE_EQ(m.energy_j.mean, 1);
  EXPECT_DOUBLE_EQ(m.energy_j.stddev.value(), 0);
}

TEST(Summarize, KnowsNoErrorFromOneWindow) {
  const Measurement m = summarized({window(7, 3.5, 14), window(7, 3.5, 14, "throttled")});
  EXPECT_DOUBLE_EQ(m.energy_j.mean, 2);
  EXPECT_FALSE(m.energy_j.stddev);
  EXPECT_FALSE(m.time_s.stddev);
  EXPECT_EQ(assumed_error(m.energy_j), 2) << "as large as the value itself, and not 0";
  EXPECT_TRUE(std::isinf(upper_bound(m.energy_j, 0.95)));
}

// Of 2, 3 and 4 equal standard errors the bound from the fewest windows is the farthest away.
TEST(UpperBound, IsFartherAwayTheFewerWindowsThereAre) {
  EXPECT_NEAR(upper_bound({10, 0.1, 1}, 0.95), 10.6313751515, 1e-9);
  EXPECT_NEAR(upper_bound({10, 0.1, 2}, 0.95), 10.2919985580, 1e-9);
  EXPECT_NEAR(upper_bound({10, 0.1}, 0.95), 10.1644853627, 1e-9);
}

TEST(Summarize, FailsWhenNoWindowCountsAndSaysWhy) {
  EXPECT_THROW(summarized({}), Error);
  try {
    summarized({window(10, 1, 10, "thermal throttle")});
    FAIL() << "summarized nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_NE(std::string(error.what()).find("thermal throttle"), std::string::npos);
  }
}

TEST(Summarize, FailsOnAWindowThatCannotCount) {
  EXPECT_THROW(summarized({window(0, 1, 10)}), Error);
  EXPECT_THROW(summarized({window(10, 0, 10)}), Error);
  EXPECT_THROW(summarized({window(10, 1, -1)}), Error);
  EXPECT_THROW(summarized({window(10, 1, std::numeric_limits<double>::quiet_NaN())}), Error);
}

}  // namespace
}  // namespace ampere
