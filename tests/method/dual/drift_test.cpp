#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "method/dual/dual_profile.h"

namespace ampere {
namespace {

Model net(std::int64_t width) {
  ModelBuilder builder("net");
  builder.add(Input{flat(8)});
  builder.add(Linear{width});
  return std::move(builder).build();
}

const std::int64_t kReference = 1;

// As a profile leaves them: the reference first, after every eight others, and last. `factor` is
// what the device has become at a position from 0 to 1.
template <class Factor>
std::vector<Observation> profile(const Factor& factor) {
  std::vector<Observation> observations;
  for (int i = 0; i <= 40; ++i) {
    const std::int64_t width = i % 8 == 0 ? kReference : 2 + i;
    Observation observation;
    observation.model = net(width);
    observation.measurement.emplace();
    const double now = factor(i / 40.0);
    observation.measurement->energy_j = {static_cast<double>(width) * now, 0.01};
    observation.measurement->time_s = {0.1 * static_cast<double>(width), 0.001};
    observations.push_back(std::move(observation));
  }
  return observations;
}

std::vector<Observation> references(const std::vector<Observation>& all) {
  std::vector<Observation> found;
  for (const Observation& observation : all)
    if (model_hash(observation.model) == model_hash(net(kReference))) found.push_back(observation);
  return found;
}

double energy(const Observation& observation) { return observation.measurement->energy_j.mean; }

// A tenth more from the first to the last.
double rising(double at) { return std::pow(1.1, at); }

TEST(Drift, OfASteadyDeviceIsNone) {
  const auto steady = profile([](double) { return 1.0; });
  const Drift drift = drift_of(references(steady));
  EXPECT_EQ(drift.repeats, 6);
  EXPECT_NEAR(drift.energy.value(), 0, 1e-12);
  EXPECT_NEAR(drift.time.value(), 0, 1e-12);
  EXPECT_FALSE(drift.significant);
  const auto same = without_drift(steady);
  for (std::size_t i = 0; i < steady.size(); ++i) EXPECT_EQ(energy(same[i]), energy(steady[i]));
}

TEST(Drift, OfALineIsItsLength) {
  const Drift drift = drift_of(references(profile(rising)));
  EXPECT_NEAR(drift.energy.value(), 0.1, 1e-9);
  EXPECT_NEAR(drift.time.value(), 0, 1e-9);
  EXPECT_TRUE(drift.significant);
}

TEST(Drift, IsTakenOutOfAllNetworks) {
  const auto drifted = profile(rising);
  const auto steady = without_drift(drifted);
  ASSERT_EQ(steady.size(), drifted.size());
  for (std::size_t i = 0; i < steady.size(); ++i) {
    const double as_in_the_middle =
        energy(drifted[i]) / rising(static_cast<double>(i) / 40) * rising(0.5);
    EXPECT_NEAR(energy(steady[i]), as_in_the_middle, 1e-9);
    EXPECT_EQ(steady[i].measurement->time_s.mean, drifted[i].measurement->time_s.mean);
    EXPECT_NEAR(steady[i].measurement->energy_j.stddev.value() / energy(steady[i]),
                0.01 / energy(drifted[i]), 1e-9);
  }
  EXPECT_FALSE(drift_of(references(steady)).significant);
}

TEST(Drift, TimeDriftsOnItsOwn) {
  auto slower = profile([](double) { return 1.0; });
  for (std::size_t i = 0; i < slower.size(); ++i)
    slower[i].measurement->time_s.mean *= rising(static_cast<double>(i) / 40);
  const Drift drift = drift_of(references(slower));
  EXPECT_NEAR(drift.time.value(), 0.1, 1e-9);
  EXPECT_NEAR(drift.energy.value(), 0, 1e-9);
  EXPECT_TRUE(drift.significant);
  const auto steady = without_drift(slower);
  EXPECT_NEAR(steady.back().measurement->time_s.mean, 0.1 * std::sqrt(1.1), 1e-9);
  EXPECT_EQ(energy(steady.back()), energy(slower.back()));
}

TEST(Drift, ScatterIsNoDrift) {
  int significant = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> scatter(1, 0.02);
    const auto noisy = profile([&](double) { return scatter(random); });
    significant += drift_of(references(noisy)).significant;
  }
  EXPECT_LT(significant, 20);
}

TEST(Drift, ALittleOverMuchScatterIsLeftAlone) {
  const auto noisy =
      profile([](double at) { return rising(at) * (std::lround(5 * at) % 2 == 0 ? 0.93 : 1.07); });
  ASSERT_FALSE(drift_of(references(noisy)).significant);
  const auto same = without_drift(noisy);
  for (std::size_t i = 0; i < noisy.size(); ++i) EXPECT_EQ(energy(same[i]), energy(noisy[i]));
}

TEST(Drift, OfLessThanAHundredthIsLeftAlone) {
  const auto slight = profile([](double at) { return 1 + 0.005 * at; });
  EXPECT_FALSE(drift_of(references(slight)).significant);
  EXPECT_EQ(energy(without_drift(slight).back()), energy(slight.back()));
}

TEST(Drift, FewRepeatsSayNothing) {
  auto some = references(profile(rising));
  some.resize(3);
  EXPECT_EQ(drift_of(some).repeats, 3);
  EXPECT_FALSE(drift_of(some).significant);
  EXPECT_EQ(energy(without_drift(some).back()), energy(some.back()));
  some.resize(1);
  EXPECT_EQ(drift_of(some).repeats, 1);
  EXPECT_EQ(drift_of({}).repeats, 0);
  EXPECT_TRUE(without_drift({}).empty());
}

TEST(Drift, FailedMeasurementsAreNoRepeats) {
  auto some = profile(rising);
  for (std::size_t i = 0; i < some.size(); i += 8)
    if (i != 8) some[i].measurement.reset();
  const auto same = without_drift(some);
  for (std::size_t i = 0; i < some.size(); ++i)
    if (some[i].measurement) {
      EXPECT_EQ(energy(same[i]), energy(some[i]));
    }
}

TEST(Drift, AReferenceThatTakesNoEnergySaysNothing) {
  const auto nothing = profile([](double) { return 0.0; });
  EXPECT_FALSE(drift_of(references(nothing)).significant);
  EXPECT_EQ(without_drift(nothing).size(), nothing.size());
}

}  // namespace
}  // namespace ampere
