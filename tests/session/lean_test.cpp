#include "estimate/lean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "estimate/interval.h"

namespace ampere {
namespace {

using testing::IsEmpty;

// Of 10 J and 2 s, each to 20 %, in two parts; runs are known to scatter by so much.
Estimate estimated(std::optional<double> chance) {
  Estimate estimate;
  for (const double share : {0.25, 0.75}) {
    Part part;
    part.energy_j = {share * 10, share * 2};
    part.time_s = {share * 2, share * 0.4};
    estimate.parts.push_back(part);
  }
  if (chance) estimate.between_runs = {*chance, *chance};
  set_totals({10, 2}, {2, 0.4}, {}, estimate);
  return estimate;
}

std::vector<Measurement> runs_of(std::initializer_list<double> energies) {
  std::vector<Measurement> runs;
  for (const double energy : energies) {
    Measurement run;
    run.energy_j = {energy, 0};
    run.time_s = {energy / 5, 0};
    runs.push_back(run);
  }
  return runs;
}

double leaned_energy(double chance, std::initializer_list<double> runs) {
  Estimate estimate = estimated(chance);
  lean_on(runs_of(runs), {}, estimate);
  return estimate.energy_j->mean;
}

// As on a simulated device without noise.
TEST(Lean, RunsThatDoNotScatterAreWhatTheNetworkCosts) {
  Estimate estimate = estimated(0);
  lean_on(runs_of({12}), {.iterations = 10}, estimate);
  EXPECT_NEAR(estimate.energy_j_per_iteration->mean, 12, 1e-5);
  EXPECT_NEAR(estimate.energy_j->mean, 120, 1e-4);
  EXPECT_NEAR(estimate.energy_j->high, 120, 0.1);
  EXPECT_NEAR(estimate.time_s->mean, 24, 1e-5);
  EXPECT_EQ(estimate.earlier_runs, 1);
}

TEST(Lean, ChanceDecidesHowMuchARunCounts) {
  EXPECT_GT(leaned_energy(0.02, {12}), 11.9);
  const double half = leaned_energy(0.2 / std::sqrt(2), {12});
  EXPECT_NEAR(half, std::sqrt(10 * 12), 1e-9) << "as much chance as there is own error";
  EXPECT_GT(leaned_energy(0.2 / std::sqrt(2), {12, 12, 12, 12}), half);
  EXPECT_NEAR(leaned_energy(0.2, {12}), 10, 1e-6) << "all of the error may be chance";
  EXPECT_DOUBLE_EQ(leaned_energy(0.5, {12}), 10);
}

TEST(Lean, ARunThatWasMeasuredPoorlyCountsLittle) {
  std::vector<Measurement> runs = runs_of({12});
  runs.front().energy_j.stddev = 3;
  Estimate estimate = estimated(0.02);
  lean_on(runs, {}, estimate);
  EXPECT_LT(estimate.energy_j->mean, 11);
  runs.front().energy_j.stddev.reset();  // unknown counts as large
  estimate = estimated(0.02);
  lean_on(runs, {}, estimate);
  EXPECT_NEAR(estimate.energy_j->mean, 10, 0.1);
}

TEST(Lean, NothingChangesWithoutRunsOrWithoutKnowingTheirChance) {
  Estimate estimate = estimated(std::nullopt);
  lean_on(runs_of({12}), {}, estimate);
  EXPECT_EQ(estimate.energy_j->mean, 10);
  EXPECT_EQ(estimate.earlier_runs, 0);
  estimate = estimated(0.01);
  lean_on({}, {}, estimate);
  EXPECT_EQ(estimate.energy_j->mean, 10);
  Estimate uncovered;
  uncovered.between_runs = {0.01, 0.01};
  lean_on(runs_of({12}), {}, uncovered);
  EXPECT_FALSE(uncovered.energy_j);
}

TEST(Lean, ARunWithoutEnergyOrTimeIsNone) {
  Estimate estimate = estimated(0.05);
  lean_on(runs_of({0, -3}), {}, estimate);
  EXPECT_EQ(estimate.energy_j->mean, 10);
  EXPECT_EQ(estimate.earlier_runs, 0);
}

TEST(Lean, PartsStillAddUpToTheWhole) {
  Estimate estimate = estimated(0.05);
  lean_on(runs_of({13, 12.5}), {}, estimate);
  double energy = 0, time = 0, spread = 0;
  for (const Part& part : estimate.parts) {
    energy += part.energy_j->mean, time += part.time_s->mean;
    spread += *part.energy_j->stddev;
  }
  EXPECT_NEAR(energy, estimate.energy_j->mean, 1e-12);
  EXPECT_NEAR(time, estimate.time_s->mean, 1e-12);
  EXPECT_NEAR(spread, *estimate.energy_j_per_iteration->stddev, 1e-12);
}

TEST(Lean, AWarningOfAnIntervalThatBeganAtZeroGoesWithIt) {
  Estimate estimate;
  estimate.between_runs = {0.02, 0.02};
  set_totals({10, 9}, {2, 1.8}, {}, estimate);
  ASSERT_TRUE(estimate.unsteady);
  ASSERT_EQ(estimate.warnings.size(), 1u);
  lean_on(runs_of({11}), {}, estimate);
  EXPECT_FALSE(estimate.unsteady);
  EXPECT_THAT(estimate.warnings, IsEmpty());
}

// Networks and runs drawn from the law that leaning assumes.
TEST(Lean, IntervalsHoldTheNextRunAndErrorsShrink) {
  constexpr double kOwn = 0.15, kChance = 0.05;
  constexpr int kNetworks = 2000;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int inside = 0;
  double error = 0, error_before = 0;
  for (int i = 0; i < kNetworks; ++i) {
    const double own = kOwn * normal(random);
    const auto run = [&] { return 10 * std::exp(own + kChance * normal(random)); };
    Estimate estimate;
    estimate.between_runs = {kChance, kChance};
    const double relative = std::hypot(kOwn, kChance);
    set_totals({10, 10 * relative}, {2, 2 * relative}, {}, estimate);
    lean_on(runs_of({run()}), {}, estimate);
    const double next = run();
    inside += estimate.energy_j->low <= next && next <= estimate.energy_j->high ? 1 : 0;
    error += std::abs(estimate.energy_j->mean / next - 1) / kNetworks;
    error_before += std::abs(10 / next - 1) / kNetworks;
  }
  EXPECT_NEAR(static_cast<double>(inside) / kNetworks, 0.9, 0.02);
  EXPECT_LT(error, 0.5 * error_before);
}

}  // namespace
}  // namespace ampere
