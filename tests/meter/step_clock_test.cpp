#include "meter/nvml/step_clock.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ampere {
namespace {

TEST(StepClock, KnowsWhereAMomentLiesBetweenSteps) {
  const StepClock clock(Seconds{10}, Seconds{0.1});
  EXPECT_EQ(clock.index_at(Seconds{10.25}), 2);
  EXPECT_EQ(clock.index_at(Seconds{9.95}), -1);
  EXPECT_NEAR(clock.time_of(7).count(), 10.7, 1e-12);
  EXPECT_NEAR(clock.phase_at(Seconds{10.23}), 0.3, 1e-9);
}

TEST(StepClock, LearnsThePeriodFromStepsFarApart) {
  const double truth = 0.1003;
  StepClock clock(Seconds{5}, Seconds{0.1});
  for (double now = 5; now < 300; now += 0.01) {
    if (!clock.is_due(Seconds{now})) continue;
    const double step = 5 + truth * std::ceil((now - 5) / truth);
    const double jitter = 0.002 * std::sin(now * 100);
    ASSERT_TRUE(clock.correct(Seconds{step + jitter})) << now;
  }
  EXPECT_NEAR(clock.period().count(), truth, 1e-5);
  const double off = clock.phase_at(Seconds{5 + truth * 2900 + truth / 2});
  EXPECT_NEAR(off, 0.5, 0.05);
}

TEST(StepClock, ChecksLessAndLess) {
  StepClock clock(Seconds{0}, Seconds{0.1});
  EXPECT_FALSE(clock.is_due(Seconds{0.9}));
  EXPECT_TRUE(clock.is_due(Seconds{1.1}));
  clock.correct(Seconds{1.1});
  EXPECT_FALSE(clock.is_due(Seconds{3.0}));
  EXPECT_TRUE(clock.is_due(Seconds{3.2}));
}

TEST(StepClock, SaysWhenAStepComesAtNoRegularTime) {
  StepClock clock(Seconds{0}, Seconds{0.1});
  EXPECT_FALSE(clock.correct(Seconds{1.05}));
  EXPECT_TRUE(clock.correct(Seconds{1.01}));
}

}  // namespace
}  // namespace ampere
