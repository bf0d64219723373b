#include <gtest/gtest.h>

#include <vector>

#include "ampere/measurement.h"

namespace ampere {
namespace {

constexpr double kUsual = 0.002;  // the reference's time

Pace at_speed(double host, double time_s) { return {host * time_s, host * kUsual, "", {}}; }

TEST(SteadyTime, IsAsMuchShorterAsTheReferenceWasSlow) {
  EXPECT_NEAR(steady_time_s(at_speed(1.25, 0.004), kUsual, 0.001), 0.004, 1e-15);
  EXPECT_NEAR(steady_time_s(at_speed(0.8, 0.004), kUsual, 0.001), 0.004, 1e-15);
}

TEST(SteadyTime, OfANetworkThatWaitsForTheDeviceIsItsTime) {
  const Pace slow_host{0.0104, 2 * kUsual, "", {}};
  EXPECT_EQ(steady_time_s(slow_host, kUsual, 0.01), 0.0104);
  const Pace slower{0.0106, 2 * kUsual, "", {}};
  EXPECT_LT(steady_time_s(slower, kUsual, 0.01), 0.0106) << "from 5 % on it waits for the host";
}

TEST(SteadyTime, IsNeverShorterThanTheDeviceNeeds) {
  const Pace slow_host{0.012, 2 * kUsual, "", {}};
  EXPECT_EQ(steady_time_s(slow_host, kUsual, 0.01), 0.01);
}

TEST(SteadyTime, OfASynchronousDeviceFollowsTheReferenceAlone) {
  EXPECT_NEAR(steady_time_s(at_speed(1.5, 0.01), kUsual, std::nullopt), 0.01, 1e-15);
  EXPECT_NEAR(steady_time_s({0.012, 4 * kUsual, "", {}}, kUsual, std::nullopt), 0.003, 1e-15);
}

TEST(SteadyTime, IsTheTimeItselfAtTheUsualSpeed) {
  for (const auto device_s : {std::optional<double>{}, std::optional(0.001), std::optional(0.004)})
    EXPECT_DOUBLE_EQ(steady_time_s(at_speed(1, 0.004), kUsual, device_s), 0.004);
}

TEST(TimeOnHost, IsThatOfTheSlowerOfHostAndDevice) {
  EXPECT_EQ(time_on_host(0.004, 0.006, 0.001), 0.006);
  EXPECT_EQ(time_on_host(0.004, 0.002, 0.003), 0.003);
  EXPECT_EQ(time_on_host(0.004, 0.006, 0.004), 0.004) << "it does not wait for the host";
  EXPECT_EQ(time_on_host(0.004, 0.006, std::nullopt), 0.006);
}

TEST(SlowdownBy, IsTheMeanOfTheLatestOverTheUsual) {
  EXPECT_DOUBLE_EQ(slowdown_by(std::vector{9.0, 9.0, 1.0, 2.0, 3.0, 4.0}, 2.0), 1.25);
  EXPECT_DOUBLE_EQ(slowdown_by(std::vector{3.0}, 2.0), 1.5);
  EXPECT_DOUBLE_EQ(slowdown_by({}, 2.0), 1.0);
}

}  // namespace
}  // namespace ampere
