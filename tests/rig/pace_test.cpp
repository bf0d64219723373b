// Two networks by turns on one bench.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/store.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::make_virtual_rig;
using testing_support::tiny_model;
using testing_support::VirtualRig;

VirtualRig two_speeds(double fast_s, double slow_s) {
  VirtualRig bench = make_virtual_rig();
  bench.device->iteration_s_of = {{"fast", fast_s}, {"slow", slow_s}};
  return bench;
}

Pace pace(VirtualRig& bench) { return bench.rig->pace(tiny_model("fast"), tiny_model("slow"), {}); }

TEST(BenchPace, IsTheTimeOfAnIterationOfEach) {
  const std::vector<std::pair<double, double>> speeds{
      {0.0012, 0.0037}, {0.0037, 0.0012}, {2e-6, 0.3}, {2.1, 1e-4}, {0.004, 0.004}};
  for (const auto& [fast_s, slow_s] : speeds) {
    VirtualRig bench = two_speeds(fast_s, slow_s);
    ASSERT_TRUE(bench.rig->can_pace());
    const Pace paced = pace(bench);
    EXPECT_NEAR(paced.time_s / fast_s, 1, 1e-6) << fast_s;
    EXPECT_NEAR(paced.reference_s / slow_s, 1, 1e-6) << slow_s;
  }
}

TEST(BenchPace, CountsEverythingAsElapsed) {
  VirtualRig bench = two_speeds(0.001, 0.002);
  const double before_s = bench.device->now_s;
  const Pace paced = pace(bench);
  EXPECT_NEAR(paced.elapsed.count(), bench.device->now_s - before_s, 1e-9);
  EXPECT_LT(bench.device->now_s - before_s, 2) << "two preparations of half a second, and turns";
}

TEST(BenchPace, LeavesTheFirstIterationsOut) {
  VirtualRig bench = two_speeds(0.001, 0.002);
  bench.device->cold_iterations = 2;
  bench.device->cold_factor = 100;
  const Pace paced = pace(bench);
  EXPECT_NEAR(paced.time_s, 0.001, 1e-9);
  EXPECT_NEAR(paced.reference_s, 0.002, 1e-9);
}

// The host's speed swings by a third within a few seconds.
TEST(BenchPace, HasARatioThatIsSteadyWhereTheHostIsNot) {
  double fastest = 1, slowest = 0;
  for (int start = 0; start < 10; ++start) {
    VirtualRig bench = two_speeds(0.001, 0.0025);
    auto& device = *bench.device;
    device.now_s += 0.7 * start;
    device.on_run = [&device](int) {
      const double host = 1 + 0.33 * std::sin(device.now_s);
      device.iteration_s_of = {{"fast", host * 0.001}, {"slow", host * 0.0025}};
    };
    const Pace paced = pace(bench);
    EXPECT_NEAR(paced.time_s / paced.reference_s, 0.4, 0.02 * 0.4) << start;
    fastest = std::min(fastest, paced.time_s);
    slowest = std::max(slowest, paced.time_s);
  }
  EXPECT_GT(slowest / fastest, 1.5);
}

TEST(BenchPace, IsUsableAfterANetworkThatFailed) {
  for (const std::string bad : {"fast", "slow"}) {
    VirtualRig bench = two_speeds(0.001, 0.002);
    bench.device->on_prepare = [&](const std::string& model) {
      if (model == bad) throw std::runtime_error("CUDA error");
    };
    try {
      pace(bench);
      FAIL() << "paced";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      EXPECT_THAT(error.what(), HasSubstr(bad + ": CUDA error"));
    }
    bench.device->on_prepare = [](const std::string&) {};
    EXPECT_GT(pace(bench).time_s, 0);
  }
}

TEST(ObserveWithTimes, NamesTheReferenceOfThePace) {
  VirtualRig bench = two_speeds(0.001, 0.002);
  const Model reference = tiny_model("slow");
  const Observation observation =
      observe_with_times(*bench.rig, tiny_model("fast"), &reference, {}, {});
  EXPECT_TRUE(observation.timing);
  ASSERT_TRUE(observation.pace);
  EXPECT_EQ(observation.pace->reference, model_hash(reference));
  EXPECT_NEAR(observation.pace->reference_s, 0.002, 1e-9);
}

TEST(ObserveWithTimes, HasNoPaceWithoutAReference) {
  VirtualRig bench = two_speeds(0.001, 0.002);
  const Observation observation =
      observe_with_times(*bench.rig, tiny_model("fast"), nullptr, {}, {});
  EXPECT_TRUE(observation.measurement);
  EXPECT_TRUE(observation.timing);
  EXPECT_FALSE(observation.pace);
}

TEST(ObserveWithTimes, LeavesOutAPaceThatFails) {
  VirtualRig bench = two_speeds(0.001, 0.002);
  bench.device->on_prepare = [](const std::string& model) {
    if (model == "slow") throw Error(ErrorCode::failed, "out of memory");
  };
  const Model reference = tiny_model("slow");
  const Observation observation =
      observe_with_times(*bench.rig, tiny_model("fast"), &reference, {}, {});
  EXPECT_TRUE(observation.measurement);
  EXPECT_EQ(observation.failure, "");
  EXPECT_FALSE(observation.pace);
}

TEST(ObserveWithTimes, PassesOnWhatMakesGoingOnSenseless) {
  VirtualRig bench = two_speeds(0.001, 0.002);
  bench.device->on_prepare = [](const std::string& model) {
    if (model == "slow") throw Error(ErrorCode::interrupted, "stopped");
  };
  const Model reference = tiny_model("slow");
  EXPECT_THROW(observe_with_times(*bench.rig, tiny_model("fast"), &reference, {}, {}), Error);
}

}  // namespace
}  // namespace ampere
