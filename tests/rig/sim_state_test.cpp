#include "rig/sim_state.h"

#include <gtest/gtest.h>

#include "rig/sim_noise.h"

namespace ampere {
namespace {

SimLaw law_with(SimMeterLaw meter) {
  SimLaw law;
  law.meter = meter;
  law.thermal = {.ambient_c = 25,
                 .start_c = 25,
                 .k_per_w = 10,
                 .time_constant_s = 5,
                 .throttle_c = 40,
                 .throttle_range_c = 10,
                 .slowest = 0.5};
  return law;
}

TEST(SimState, CounterMovesInSteps) {
  const SimLaw law = law_with({0.1, false});
  SimState state(law);
  state.advance(0.05, 10);
  EXPECT_EQ(state.metered().value, 0);
  state.advance(0.075, 10);  // past the step at 0.1 s
  EXPECT_NEAR(state.metered().value, 1, 1e-5);
  state.advance(0.07, 20);
  EXPECT_NEAR(state.metered().value, 1, 1e-5);
  state.advance(1, 20);  // the last step is at 1.1 s: 1.25 J until 0.125 s, then 20 W
  EXPECT_NEAR(state.metered().value, 1.25 + 20 * (1.1 - 0.125), 1e-5);
}

TEST(SimState, SamplesCountTheWholePeriod) {
  const SimLaw law = law_with({0.25, true});
  SimState state(law);
  state.advance(0.2, 0);
  state.advance(0.1, 8);  // the sample at 0.25 s finds 8 W
  EXPECT_NEAR(state.metered().value, 2, 1e-5);
}

TEST(SimState, ContinuousMeterFollows) {
  const SimLaw law = law_with({0, false});
  SimState state(law);
  state.advance(0.3, 7);
  EXPECT_NEAR(state.metered().value, 2.1, 1e-5);
  EXPECT_NEAR(state.now().count(), 0.3, 1e-8);
}

TEST(SimState, ReadingsNeverDecreaseOverRestarts) {
  const SimLaw law = law_with({0.1, false});
  SimState state(law);
  double energy = 0, time = 0;
  for (int i = 0; i < 200; ++i) {
    if (i % 7 == 0) state.restart(0.01 * (i % 100), 30);
    state.advance(0.013 * (i % 5), i % 3);
    EXPECT_GE(state.metered().value, energy);
    EXPECT_GE(state.now().count(), time);
    energy = state.metered().value, time = state.now().count();
  }
  EXPECT_GT(energy, 0);
}

TEST(SimState, DifferencesDoNotDependOnThePast) {
  const SimLaw law = law_with({0.1, false});
  const auto difference = [&](double past_s) {
    SimState state(law);
    state.advance(past_s, 123.456);
    state.restart(0.3, 30);
    state.advance(0.123, 17.1);
    const Joules energy = state.metered();
    const Seconds time = state.now();
    state.advance(1.777, 33.3);
    return std::pair((state.metered() - energy).value, (state.now() - time).count());
  };
  EXPECT_EQ(difference(0.001), difference(98765.4321));
}

TEST(SimState, HeatsUpThrottlesAndCools) {
  const SimLaw law = law_with({0, false});
  SimState state(law);
  EXPECT_EQ(state.clock(), 1);
  state.advance(100, 2);  // settles at 45 °C, half the range
  EXPECT_NEAR(state.temperature_c(), 45, 0.1);
  EXPECT_NEAR(state.clock(), 0.75, 0.01);
  state.advance(100, 100);
  EXPECT_EQ(state.clock(), 0.5);
  state.advance(100, 0);
  EXPECT_EQ(state.clock(), 1);
}

TEST(SimState, ClocksStayUpForAWhileAfterLoad) {
  SimLaw law = law_with({0, false});
  law.idle_w = 1, law.static_w = 5;
  SimState state(law);
  EXPECT_EQ(state.resting_watts(), 1);
  state.train(0.1, 50);
  EXPECT_EQ(state.resting_watts(), 5);
  state.advance(1, 5);
  EXPECT_EQ(state.resting_watts(), 5);
  state.advance(60, 5);
  EXPECT_EQ(state.resting_watts(), 1);
  state.train(0.1, 50);
  state.restart(0, 30);
  EXPECT_EQ(state.resting_watts(), 1);
}

TEST(SimNoise, IsTheSameForTheSameKeyAndEverywhere) {
  SimNoise one("key"), same("key"), other("kez");
  const double first = one.uniform();
  EXPECT_EQ(first, same.uniform());
  EXPECT_NE(first, other.uniform());
  EXPECT_DOUBLE_EQ(first, 0.092987319308038052);
}

TEST(SimNoise, HasTheAskedSpread) {
  SimNoise noise("spread");
  double sum = 0, squares = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double factor = noise.factor(0.1);
    sum += factor, squares += factor * factor;
  }
  EXPECT_NEAR(sum / kDraws, 1, 0.003);
  EXPECT_NEAR(std::sqrt(squares / kDraws - 1), 0.1, 0.01);
  EXPECT_EQ(noise.factor(0), 1);
}

}  // namespace
}  // namespace ampere
