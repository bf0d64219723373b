#include "rig/bench_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::make_virtual_rig;
using testing_support::tiny_model;
using testing_support::VirtualRig;

Measurement measure(VirtualRig& bench, const Precision& precision = {}) {
  return bench.rig->measure(tiny_model(), Setup{}, precision);
}

ErrorCode error_of(VirtualRig& bench, std::string* message = nullptr) {
  try {
    measure(bench);
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return error.code();
  }
  ADD_FAILURE() << "it was measured";
  return ErrorCode::usage;
}

struct Speed {
  double iteration_s;
  double period_s;
  bool stamps_steps;
  double tolerance;  // of the mean over many phases
};

class BenchRigAtAnySpeed : public ::testing::TestWithParam<Speed> {};

TEST_P(BenchRigAtAnySpeed, IsNotBiasedByTheStepsOfTheCounter) {
  const Speed speed = GetParam();
  double energy = 0, time = 0;
  constexpr int kPhases = 40;
  for (int phase = 0; phase < kPhases; ++phase) {
    VirtualRig bench = make_virtual_rig();
    bench.device->iteration_s = speed.iteration_s;
    bench.device->period_s = speed.period_s;
    bench.device->stamps_steps = speed.stamps_steps;
    bench.device->now_s += speed.period_s * phase / kPhases;
    const Measurement result = measure(bench);
    energy += result.energy_j.mean / bench.device->joules_per_iteration() / kPhases;
    time += result.time_s.mean / speed.iteration_s / kPhases;
  }
  EXPECT_NEAR(energy, 1, speed.tolerance);
  EXPECT_NEAR(time, 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Speeds, BenchRigAtAnySpeed,
    ::testing::Values(Speed{2e-5, 0.1, false, 0.002}, Speed{0.0037, 0.1, false, 0.002},
                      Speed{0.037, 0.1, false, 0.01}, Speed{0.13, 0.1, false, 0.015},
                      Speed{2.1, 0.1, false, 0.01}, Speed{0.0037, 0.1, true, 0.001},
                      Speed{0.037, 0.1, true, 0.001}, Speed{0.13, 0.1, true, 0.001},
                      Speed{2.1, 0.1, true, 0.001}, Speed{0.0037, 0, false, 1e-6},
                      Speed{2.1, 0, false, 1e-6}));

TEST(BenchRig, ErrsByLessThanOneChunkPerWindow) {
  VirtualRig bench = make_virtual_rig();
  for (const Window& window : measure(bench).windows) {
    const double per_iteration = window.energy.value / static_cast<double>(window.iterations);
    EXPECT_NEAR(per_iteration / bench.device->joules_per_iteration(), 1, 0.021);
  }
}

TEST(BenchRig, CompilingIsReportedApartAndHasNoTimeLimit) {
  VirtualRig bench = make_virtual_rig();
  bench.device->setups = every_setup();
  bench.device->prepare_s = 30;
  ampere::Setup setup;
  setup.options.compiled = true;
  Precision precision;
  precision.time_limit = Seconds{5};
  const Measurement result = bench.rig->measure(tiny_model(), setup, precision);
  ASSERT_TRUE(result.preparation);
  EXPECT_NEAR(result.preparation->time.count(), 30, 0.2);
  EXPECT_NEAR(result.preparation->energy.value, 30 * bench.device->idle_w, 15);
  EXPECT_GE(counted_windows(result), 3);
  EXPECT_NEAR(result.energy_j.mean, bench.device->joules_per_iteration(), 0.02);
  EXPECT_GT(result.elapsed.count(), 30);
  EXPECT_FALSE(measure(bench).preparation) << "nothing is compiled";
}

TEST(BenchRig, RefusesASetupThatItsTrainerLacks) {
  VirtualRig bench = make_virtual_rig();
  try {
    bench.rig->measure(tiny_model(), {.precision = "bf16"}, {});
    FAIL() << "it was measured";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("cannot train in bf16 (there is fp32)"));
  }
}

TEST(BenchRig, TakesWindowsOfFivePeriods) {
  for (const bool stamps : {true, false})
    for (const bool ahead : {true, false}) {
      VirtualRig bench = make_virtual_rig();
      bench.device->stamps_steps = stamps;
      bench.device->works_ahead = ahead;
      const Measurement result = measure(bench);
      EXPECT_GE(result.windows.size(), 3u);
      for (const Window& window : result.windows)
        EXPECT_NEAR(window.time.count(), 0.5, stamps ? 0.002 : 0.02) << stamps << ahead;
      EXPECT_THAT(result.notes, IsEmpty());
    }
}

TEST(BenchRig, TakesWindowsOfTenPeriodsWhereIterationsAreLonger) {
  VirtualRig bench = make_virtual_rig();
  bench.device->iteration_s = 0.13;
  for (const Window& window : measure(bench).windows) EXPECT_GE(window.time.count(), 1);
}

TEST(BenchRig, IsExactToTheStepWhereTheMeterTellsIt) {
  for (const double iteration_s : {2e-5, 0.0037, 0.037, 0.13, 2.1})
    for (const bool ahead : {true, false}) {
      VirtualRig bench = make_virtual_rig();
      bench.device->iteration_s = iteration_s;
      bench.device->stamps_steps = true;
      bench.device->works_ahead = ahead;
      const Measurement result = measure(bench);
      for (const Window& window : result.windows) {
        const auto iterations = static_cast<double>(window.iterations);
        EXPECT_NEAR(window.time.count() / iterations / iteration_s, 1, 1e-4) << iteration_s;
        EXPECT_NEAR(window.energy.value / iterations / bench.device->joules_per_iteration(), 1,
                    1e-4)
            << iteration_s;
      }
    }
}

// The host stops for a while at the end of each window; the device has work for longer than that.
TEST(BenchRig, LeavesADeviceThatWorksAheadNeverWithoutWork) {
  for (const double stop_s : {0.0, 0.015}) {
    VirtualRig bench = make_virtual_rig();
    auto& device = *bench.device;
    device.stamps_steps = true;
    device.works_ahead = true;
    device.state = [&device, stop_s] {
      device.advance(stop_s, device.busy_w);
      return MeterState{};
    };
    const Measurement result = measure(bench);
    EXPECT_NEAR(result.time_s.mean / device.iteration_s, 1, 1e-4);
    EXPECT_NEAR(result.energy_j.mean / device.joules_per_iteration(), 1, 1e-4);
    for (const Window& window : result.windows) EXPECT_NEAR(window.time.count(), 0.5, 0.002);
  }
}

TEST(BenchRig, FollowsTheHostWhereThatIsSlower) {
  VirtualRig bench = make_virtual_rig();
  bench.device->stamps_steps = true;
  bench.device->works_ahead = true;
  for (const double host_s : {0.9, 1.08, 3.0}) {
    bench.device->host_s = host_s * bench.device->iteration_s;
    EXPECT_NEAR(measure(bench).time_s.mean / bench.device->iteration_s, std::max(1.0, host_s),
                0.002);
  }
}

TEST(BenchRig, TakesWindowsOfTheAskedLength) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  Precision precision;
  precision.min_window = Seconds{0.5};
  for (const Window& window : measure(bench, precision).windows) {
    EXPECT_GE(window.time.count(), 0.5);
    EXPECT_LE(window.time.count(), 0.6);
  }
}

TEST(BenchRig, LeavesTheFirstIterationsOut) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  bench.device->cold_factor = 40;
  bench.device->cold_iterations = 7;
  EXPECT_NEAR(measure(bench).time_s.mean, bench.device->iteration_s, 1e-9);
}

TEST(BenchRig, SaysWhenIterationTimeDidNotSettle) {
  VirtualRig bench = make_virtual_rig();
  auto& device = *bench.device;
  device.iteration_s = 0.05;
  device.on_run = [&device](int) { device.iteration_s = std::max(0.9 * device.iteration_s, 1e-4); };
  EXPECT_THAT(measure(bench).notes, Contains(HasSubstr("had not settled")));
}

TEST(BenchRig, RepeatsUntilPrecise) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  Precision precision;
  precision.min_window = Seconds{0.06};
  precision.relative_error = 0.5;
  const std::size_t few = measure(bench, precision).windows.size();
  bench.device->spread = 0.2;
  precision.relative_error = 0.05;
  const Measurement result = measure(bench, precision);
  EXPECT_EQ(few, 3u);
  EXPECT_GT(result.windows.size(), few);
  EXPECT_LE(result.energy_j.stddev.value() / result.energy_j.mean, 0.05);
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(BenchRig, StopsAtTheTimeLimitAndSaysHowPreciseItIs) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  bench.device->spread = 0.3;
  Precision precision;
  precision.min_window = Seconds{0.05};
  precision.time_limit = Seconds{2};
  precision.relative_error = 1e-4;
  const Measurement result = measure(bench, precision);
  EXPECT_LE(result.elapsed.count(), 2.1);
  EXPECT_THAT(result.notes, Contains(HasSubstr("precision not reached in 2 s")));
}

TEST(BenchRig, TakesTwoWindowsEvenBeyondTheTimeLimit) {
  VirtualRig bench = make_virtual_rig();
  bench.device->iteration_s = 6;
  const Measurement result = measure(bench);
  ASSERT_EQ(result.windows.size(), 2u);
  EXPECT_EQ(result.windows[0].iterations, 1);
  EXPECT_THAT(result.notes, Contains(HasSubstr("2 windows instead of 3")));
}

TEST(BenchRig, TakesOneWindowOfANetworkSlowerThanTheTimeLimit) {
  for (const bool ahead : {true, false}) {
    VirtualRig bench = make_virtual_rig();
    bench.device->iteration_s = 30;
    bench.device->works_ahead = ahead;
    const Measurement result = measure(bench);
    ASSERT_EQ(result.windows.size(), 1u);
    EXPECT_EQ(result.windows[0].iterations, 1);
    EXPECT_EQ(bench.device->iterations, 2) << "one to warm up, one to measure";
    EXPECT_THAT(result.notes, Contains(HasSubstr("precision is unknown")));
    EXPECT_FALSE(result.energy_j.stddev);
  }
}

TEST(BenchRig, GoesOnPastTheTimeLimitForTheAskedIterations) {
  VirtualRig bench = make_virtual_rig();
  bench.device->state = [] {
    MeterState state;
    state.other_processes = 1;
    return state;
  };
  Precision precision;
  precision.min_iterations = 10'000;
  std::int64_t in_windows = 0;
  const Measurement result = measure(bench, precision);
  for (const Window& window : result.windows) in_windows += window.iterations;
  EXPECT_GE(in_windows, 10'000);
  EXPECT_LT(in_windows, 11'000);
  EXPECT_GT(result.elapsed, precision.time_limit);
}

TEST(BenchRig, CountsWholeIterations) {
  VirtualRig bench = make_virtual_rig();
  std::int64_t in_windows = 0;
  for (const Window& window : measure(bench).windows) {
    in_windows += window.iterations;
    EXPECT_NEAR(window.time.count(), static_cast<double>(window.iterations) * 0.0037, 1e-6);
  }
  EXPECT_LT(in_windows, bench.device->iterations);
}

TEST(BenchRig, RecordsProcessorTimeAndState) {
  VirtualRig bench = make_virtual_rig();
  bench.device->state = [] {
    MeterState state;
    state.temperature_c = 61;
    state.clock_mhz = 1980;
    return state;
  };
  for (const Window& window : measure(bench).windows) {
    EXPECT_NEAR(window.cpu_s.value(), window.time.count() / 2, 1e-9);
    EXPECT_FALSE(window.steal_s) << "this clock cannot tell";
    EXPECT_EQ(window.state.temperature_c, 61);
    EXPECT_EQ(window.state.clock_mhz, 1980);
  }
}

TEST(BenchRig, RejectsAWindowInWhichClocksWereHeldDown) {
  VirtualRig bench = make_virtual_rig();
  int asked = 0;
  bench.device->state = [&asked] {
    MeterState state;
    if (++asked == 2) state.throttle = "thermal slowdown";
    return state;
  };
  const Measurement result = measure(bench);
  EXPECT_THAT(result.windows.at(0).rejected, HasSubstr("thermal slowdown"));
  EXPECT_EQ(result.windows.size(), 4u) << "three that count are still asked for";
  EXPECT_THAT(result.windows.at(1).rejected, IsEmpty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("1 of 4 windows do not count")));
}

TEST(BenchRig, KeepsWindowsUnderAConstantThrottleAndSaysSo) {
  VirtualRig bench = make_virtual_rig();
  bench.device->state = [] {
    MeterState state;
    state.throttle = "power cap";
    return state;
  };
  const Measurement result = measure(bench);
  EXPECT_THAT(result.windows.at(0).rejected, IsEmpty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("power cap")));
}

TEST(BenchRig, KeepsWindowsWhenAllAreDisturbedAndSaysSo) {
  VirtualRig bench = make_virtual_rig();
  bench.device->state = [] {
    MeterState state;
    state.other_processes = 2;
    return state;
  };
  const Measurement result = measure(bench);
  EXPECT_GT(result.energy_j.mean, 0);
  EXPECT_THAT(result.notes, Contains(HasSubstr("2 other processes used the device")));
  for (const Window& window : result.windows) {
    EXPECT_THAT(window.rejected, IsEmpty()) << "it counts";
    EXPECT_THAT(window.disturbed, HasSubstr("2 other processes"));
  }
}

TEST(BenchRig, ReportsWindowsAsTheyAreTaken) {
  std::vector<std::int64_t> seen;
  RunListener listener;
  listener.window = [&seen](const Window& window) { seen.push_back(window.iterations); };
  VirtualRig bench = make_virtual_rig();
  const auto result =
      std::get<Measurement>(bench.rig->run(MeasureRequest{tiny_model(), {}, {}}, listener));
  ASSERT_EQ(seen.size(), result.windows.size());
  EXPECT_EQ(seen.back(), result.windows.back().iterations);
}

TEST(BenchRig, FailsWhenTheMachineSleptInAWindow) {
  VirtualRig bench = make_virtual_rig();
  bench.device->on_run = [device = bench.device.get()](int) { device->suspended_s += 0.01; };
  std::string message;
  EXPECT_EQ(error_of(bench, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("suspended for"));
}

TEST(BenchRig, FailsWhenTheMeterStandsStill) {
  for (const double period_s : {0.1, 0.0}) {
    VirtualRig bench = make_virtual_rig();
    bench.device->period_s = period_s;
    bench.device->counts = false;
    std::string message;
    EXPECT_EQ(error_of(bench, &message), ErrorCode::failed);
    EXPECT_THAT(message, AnyOf(HasSubstr("stood still"), HasSubstr("counted nothing")));
  }
}

TEST(BenchRig, IsUsableAfterAFailure) {
  VirtualRig bench = make_virtual_rig();
  bench.device->on_run = [](int) { throw std::runtime_error("CUDA error: device-side assert"); };
  std::string message;
  EXPECT_EQ(error_of(bench, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("tiny: CUDA error"));
  bench.device->on_run = [](int) {};
  EXPECT_GT(measure(bench).energy_j.mean, 0);
}

TEST(BenchRig, PassesErrorsOfTheTrainerOn) {
  VirtualRig bench = make_virtual_rig();
  bench.device->on_prepare = [](const std::string&) {
    throw Error(ErrorCode::usage, "no such layer here");
  };
  EXPECT_EQ(error_of(bench), ErrorCode::usage);
}

Timing time(VirtualRig& bench) { return bench.rig->time(tiny_model(), Setup{}); }

TEST(BenchRig, TimesAStepByItsClock) {
  for (const double iteration_s : {2e-5, 0.0037, 2.1}) {
    VirtualRig bench = make_virtual_rig();
    bench.device->iteration_s = iteration_s;
    ASSERT_TRUE(bench.rig->can_time());
    const Timing timing = time(bench);
    EXPECT_NEAR(timing.device_s, iteration_s, 1e-9);
    EXPECT_FALSE(timing.host_s);
    EXPECT_GE(timing.elapsed.count(), 3 * iteration_s);
    EXPECT_LE(timing.elapsed.count(), 0.5 + 0.04 + 7 * iteration_s) << "half a second builds it";
  }
}

TEST(BenchRig, LeavesTheFirstStepsOutOfATiming) {
  VirtualRig bench = make_virtual_rig();
  bench.device->cold_factor = 40;
  bench.device->cold_iterations = 2;
  EXPECT_NEAR(time(bench).device_s, bench.device->iteration_s, 1e-9);
}

TEST(BenchRig, TakesTheMiddleOfItsRepeats) {
  VirtualRig bench = make_virtual_rig();
  int runs = 0;
  bench.device->on_run = [&](int) {
    if (++runs == 5) bench.device->advance(1, bench.device->idle_w);
  };
  EXPECT_NEAR(time(bench).device_s, bench.device->iteration_s, 1e-9);
}

TEST(BenchRig, TakesTheTimesOfTheDeviceWhereItHasSome) {
  VirtualRig bench = make_virtual_rig();
  bench.device->step_times = StepTimes{Seconds{0.002}, Seconds{0.003}};
  const Timing timing = time(bench);
  EXPECT_EQ(timing.device_s, 0.002);
  EXPECT_EQ(timing.host_s, 0.003);
}

TEST(BenchRig, IsUsableAfterATimingThatFailed) {
  VirtualRig bench = make_virtual_rig();
  bench.device->on_run = [](int) { throw std::runtime_error("CUDA error"); };
  try {
    time(bench);
    FAIL() << "timed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("tiny: CUDA error"));
  }
  bench.device->on_run = [](int) {};
  EXPECT_GT(time(bench).device_s, 0);
}

TEST(BenchRig, MeasuresTheDeviceAtRestBetweenTwoSteps) {
  for (const double period_s : {0.1, 0.0})
    for (const bool stamps : {true, false}) {
      VirtualRig bench = make_virtual_rig();
      bench.device->period_s = period_s;
      bench.device->stamps_steps = stamps;
      ASSERT_TRUE(bench.rig->can_idle());
      const double before_s = bench.device->now_s;
      const Window window = bench.rig->idle_after(tiny_model(), {});
      EXPECT_EQ(window.iterations, 0);
      EXPECT_NEAR(window.time.count(), 1, 0.15);
      EXPECT_NEAR(window.energy.value / window.time.count(), bench.device->idle_w,
                  stamps ? 0.01 : 0.5);
      EXPECT_GT(bench.device->iterations, 100) << "it was under load before";
      EXPECT_LT(bench.device->now_s - before_s, 3);
    }
}

TEST(BenchRig, FailsAtRestWhenTheMeterStandsStill) {
  VirtualRig bench = make_virtual_rig();
  bench.device->counts = false;
  EXPECT_THROW(bench.rig->idle_after(tiny_model(), {}), Error);
}

TEST(BenchRig, SurvivesSillyPrecisions) {
  for (const double zero : {0.0, 1e-12}) {
    VirtualRig bench = make_virtual_rig();
    bench.device->period_s = 0;
    Precision precision;
    precision.min_window = Seconds{zero};
    precision.time_limit = Seconds{zero};
    precision.min_windows = 0;
    EXPECT_GE(measure(bench, precision).windows.size(), 1u);
  }
}

TEST(BenchRig, ComputesTheFingerprint) {
  const VirtualRig bench = make_virtual_rig();
  EXPECT_EQ(bench.rig->device().fingerprint, fingerprint_of(bench.rig->device()));
}

}  // namespace
}  // namespace ampere
