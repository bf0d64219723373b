#include "rig/working.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::make_virtual_rig;
using testing_support::tiny_model;
using testing_support::VirtualRig;

constexpr double kBegin = 5;  // what a virtual device has used before it is asked for anything

WorkRequest request_of(std::int64_t iterations, std::optional<Joules> stop_at = {}) {
  return {tiny_model(), {}, iterations, stop_at};
}

TEST(Working, CountsEveryJouleFromBeforeTheNetworkIsBuilt) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  const WorkDone done = bench.rig->work(request_of(1000));
  EXPECT_EQ(done.iterations, 1000);
  EXPECT_EQ(bench.device->iterations, 1000);
  EXPECT_EQ(done.source, Source::simulated);
  EXPECT_NEAR(done.energy.value, bench.device->energy_j - kBegin, 1e-6);
  EXPECT_NEAR(done.energy.value, 0.5 * 50 + 1000 * 0.0037 * 200, 1e-6);
  EXPECT_NEAR(done.time.count(), 0.5 + 1000 * 0.0037, 1e-6);
}

TEST(Working, WaitsUntilACounterThatMovesInStepsHasShownEverything) {
  VirtualRig bench = make_virtual_rig();
  const WorkDone done = bench.rig->work(request_of(1000));
  EXPECT_GE(done.energy.value, 0.5 * 50 + 1000 * 0.0037 * 200 - 50 * 0.1) << "nothing is left out";
  EXPECT_LE(done.energy.value, bench.device->energy_j - kBegin + 1e-9);
}

TEST(Working, BuildsANetworkOnceForManyRequests) {
  VirtualRig bench = make_virtual_rig();
  int built = 0;
  bench.device->on_prepare = [&](const std::string&) { ++built; };
  const WorkDone first = bench.rig->work(request_of(100));
  const WorkDone second = bench.rig->work(request_of(100));
  EXPECT_EQ(built, 1);
  EXPECT_LT(second.energy.value, first.energy.value);
  bench.rig->work({tiny_model(), {.batch = 20}, 100});
  EXPECT_EQ(built, 2) << "another batch";
  bench.rig->measure(tiny_model(), {}, {});
  bench.rig->work(request_of(100));
  EXPECT_EQ(built, 4) << "a measurement has the device for itself";
}

// Whatever the limit, the speed and the meter are.
TEST(Working, NeverUsesMoreThanItMay) {
  for (const double period_s : {0.0, 0.02, 0.1, 0.5})
    for (const double iteration_s : {1e-4, 0.0037, 0.2})
      for (const double limit : {400.0, 500.0, 1000.0, 3000.0}) {
        VirtualRig bench = make_virtual_rig();
        bench.device->period_s = period_s;
        bench.device->iteration_s = iteration_s;
        bench.device->spread = 0.2;
        const WorkDone done = bench.rig->work(request_of(1'000'000, Joules{limit}));
        EXPECT_LE(bench.device->energy_j - kBegin, limit)
            << period_s << " s, " << iteration_s << " s per iteration";
        EXPECT_LT(done.iterations, 1'000'000);
        EXPECT_EQ(done.iterations, bench.device->iterations);
        if (limit >= 1000 && period_s < 0.5) {
          EXPECT_GT(done.energy.value, 0.4 * limit);
        }
      }
}

TEST(Working, TheNextRequestKnowsThePowerAndThePaceOfTheOneBefore) {
  VirtualRig bench = make_virtual_rig();
  bench.rig->work(request_of(1000));
  const double before = bench.device->energy_j;
  bench.device->busy_w = 200;
  const WorkDone done = bench.rig->work(request_of(1'000'000, Joules{100}));
  EXPECT_EQ(done.iterations, 0) << "waiting for the meter alone could take as much";
  EXPECT_LE(bench.device->energy_j - before, 100);
}

TEST(Working, SaysWhatIsDoneWhileItWorks) {
  VirtualRig bench = make_virtual_rig();
  std::vector<WorkDone> told;
  bench.rig->work(request_of(2000), [&](const WorkDone& work) { told.push_back(work); });
  ASSERT_GE(told.size(), 6u);  // 7.4 s
  EXPECT_LE(told.size(), 8u);
  for (std::size_t i = 1; i < told.size(); ++i) {
    EXPECT_GT(told[i].iterations, told[i - 1].iterations);
    EXPECT_GT(told[i].energy.value, told[i - 1].energy.value);
  }
}

TEST(Working, KeepsNothingAfterAFailure) {
  VirtualRig bench = make_virtual_rig();
  int built = 0;
  bench.device->on_prepare = [&](const std::string&) { ++built; };
  bench.rig->work(request_of(10));
  bench.device->on_run = [](int) { throw std::runtime_error("out of memory"); };
  try {
    bench.rig->work(request_of(10));
    FAIL() << "it worked";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("tiny: out of memory"));
  }
  bench.device->on_run = [](int) {};
  EXPECT_EQ(bench.rig->work(request_of(10)).iterations, 10);
  EXPECT_EQ(built, 2);
}

TEST(Working, AMeterThatStandsStillIsAnError) {
  for (const double period_s : {0.0, 0.1}) {
    VirtualRig bench = make_virtual_rig();
    bench.device->period_s = period_s;
    bench.device->counts = false;
    EXPECT_THROW(bench.rig->work(request_of(10)), Error);
  }
}

}  // namespace
}  // namespace ampere
