#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ampere/estimate.h"
#include "base/stats.h"
#include "method/dual/dual.h"
#include "method/dual/dual_method.h"
#include "method/dual/dual_profile.h"
#include "model/draw.h"
#include "rig/sim.h"
#include "support/profiling.h"

namespace ampere {
namespace {

SharedDualModel profiled(const std::string& device, const std::string& family, std::int64_t batch) {
  const auto rig = open_sim_rig(device, 1);
  const auto store = open_store("memory:");
  ampere::Setup setup;
  setup.batch = batch;
  ProfileOptions options;
  options.timings = 150;
  options.networks = 12;
  const ProfileTask task{{open_model(family)}, draw_networks(family, 40, 3)};
  const ProfileSummary summary =
      testing_support::profile(*make_dual_method(), task, options, {*rig, *store, setup});
  return load_dual(*store, summary.profile);
}

const Estimator& cnn5_at_batch_1() {
  static const auto estimator = make_dual_estimator(profiled("server", "cnn5", 1));
  return *estimator;
}

const Estimator& resnet18_at_batch_256() {
  static const auto estimator = make_dual_estimator(profiled("server", "resnet18", 256));
  return *estimator;
}

TEST(DualEstimator, PartsAddUpToTheWhole) {
  for (const char* name : {"resnet18", "resnet34"}) {
    const Model model = open_model(name);
    const Estimate estimate = resnet18_at_batch_256().estimate(model, {100, 0.9});
    ASSERT_TRUE(estimate.energy_j) << name;
    double energy = 0, time = 0;
    int blocks = 0;
    for (const Part& part : estimate.parts) {
      energy += part.energy_j->mean;
      time += part.time_s->mean;
      blocks += part.count;
      EXPECT_GT(part.energy_j->stddev, 0);
      EXPECT_GT(part.time_s->stddev, 0);
      EXPECT_EQ(part.features.size(), part.feature_names.size());
    }
    EXPECT_EQ(blocks, static_cast<int>(parse_blocks(model).size()));
    EXPECT_LT(static_cast<int>(estimate.parts.size()), blocks) << "equal blocks are one part";
    EXPECT_NEAR(energy, estimate.energy_j_per_iteration->mean, 1e-9 * energy);
    EXPECT_NEAR(time, estimate.time_s_per_iteration->mean, 1e-9 * time);
    EXPECT_NEAR(estimate.energy_j->mean, 100 * energy, 1e-7 * energy);
    EXPECT_NEAR(estimate.time_s->mean, 100 * time, 1e-7 * time);
  }
}

TEST(DualEstimator, IsNearTheTruth) {
  ampere::Setup setup;
  setup.batch = 1;
  const Model model = draw_networks("cnn5", 1, 99)[0];
  const Estimate estimate = cnn5_at_batch_1().estimate(model, {});
  EXPECT_NEAR(estimate.energy_j->mean / sim_true_energy("server", model, setup).value, 1, 0.1);
  EXPECT_NEAR(estimate.time_s->mean / sim_true_time("server", model, setup).count(), 1, 0.1);
}

TEST(DualEstimator, TheIntervalHasTheStatedConfidence) {
  const Model model = open_model("cnn5");
  const Estimate estimate = cnn5_at_batch_1().estimate(model, {10, 0.9});
  const Interval ninety = *estimate.energy_j;
  const Interval half = *cnn5_at_batch_1().estimate(model, {10, 0.5}).energy_j;
  const double stddev = 10 * estimate.energy_j_per_iteration->stddev.value();
  EXPECT_NEAR(ninety.high - ninety.mean, normal_quantile(0.95) * stddev, 1e-9);
  EXPECT_NEAR(half.high - half.mean, normal_quantile(0.75) * stddev, 1e-9);
  EXPECT_GE(ninety.low, 0);
}

TEST(DualEstimator, WhatIsNotCoveredIsListedAndNeverCountedAsNothing) {
  const Model model = open_model("lenet5");
  const Estimate estimate = cnn5_at_batch_1().estimate(model, {});
  EXPECT_FALSE(estimate.energy_j);
  EXPECT_FALSE(estimate.time_s);
  EXPECT_FALSE(estimate.energy_j_per_iteration);
  EXPECT_FALSE(estimate.time_s_per_iteration);
  EXPECT_TRUE(estimate.advice.empty());
  ASSERT_FALSE(estimate.uncovered.empty());
  const Block first = parse_blocks(model)[0];
  EXPECT_EQ(estimate.uncovered[0].layer, model.layers()[first.layers[0]].name);
  EXPECT_THAT(estimate.uncovered[0].reason, testing::HasSubstr(first.kind->title));
}

TEST(DualEstimator, BeyondTheTimedRangeIsFlagged) {
  const Estimate inside = cnn5_at_batch_1().estimate(open_model("cnn5"), {});
  EXPECT_TRUE(std::ranges::none_of(inside.parts, &Part::extrapolated));
  EXPECT_TRUE(inside.warnings.empty());
  const Estimate outside = cnn5_at_batch_1().estimate(open_model("cnn5:900,901,902,903"), {});
  EXPECT_TRUE(std::ranges::all_of(outside.parts, &Part::extrapolated));
  EXPECT_THAT(outside.warnings, testing::Contains(testing::HasSubstr("outside what was profiled")));
}

TEST(DualEstimator, AHostBoundNetworkGetsAdvice) {
  const Model model = open_model("cnn5");
  const Estimate once = cnn5_at_batch_1().estimate(model, {1, 0.9});
  ASSERT_EQ(once.advice.size(), 1u);
  EXPECT_THAT(once.advice[0], testing::HasSubstr("host-bound"));
  EXPECT_NE(cnn5_at_batch_1().estimate(model, {1000, 0.9}).advice, once.advice)
      << "joules are of the whole workload";
}

TEST(DualEstimator, ADeviceBoundNetworkGetsNone) {
  EXPECT_TRUE(resnet18_at_batch_256().estimate(open_model("resnet18"), {}).advice.empty());
}

TEST(DualEstimator, ASynchronousDeviceGetsNone) {
  const auto estimator = make_dual_estimator(profiled("ideal", "cnn5", 1));
  const Estimate estimate = estimator->estimate(open_model("cnn5"), {});
  ASSERT_TRUE(estimate.energy_j);
  EXPECT_TRUE(estimate.advice.empty());
}

TEST(DualEstimator, WhatRestsOnASimulationIsCalledSimulated) {
  EXPECT_EQ(cnn5_at_batch_1().estimate(open_model("cnn5"), {}).source, Source::simulated);
}

}  // namespace
}  // namespace ampere
