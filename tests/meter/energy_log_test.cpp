#include "ampere/energy_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "ampere/error.h"
#include "support/stepping_meter.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::SteppingMeter;

constexpr Seconds kSlow{0.03}, kFast{0.001};

void pass(Seconds time) { std::this_thread::sleep_for(time); }

std::vector<std::string> paths_of(const std::vector<PathUsage>& results) {
  std::vector<std::string> paths;
  for (const PathUsage& result : results) paths.push_back(result.path);
  return paths;
}

TEST(EnergyLog, InterpolatesBetweenTheStepsOfACounter) {
  EnergyLog log(std::make_shared<SteppingMeter>(kSlow));
  auto window = log.open("work");
  pass(Seconds{0.1});
  const Usage usage = window.usage();
  EXPECT_NEAR(usage.total.value, 100 * usage.time.count(), 1e-6);
  EXPECT_NEAR(usage.energy.at(1).value, 40 * usage.time.count(), 1e-6);
  EXPECT_NEAR(usage.uncertainty.value(), 0.03 / usage.time.count(), 1e-9);
}

TEST(EnergyLog, ReadsAFastCounterWhereTheWindowEnds) {
  for (const Seconds period : {kFast, Seconds{0}}) {
    EnergyLog log(std::make_shared<SteppingMeter>(period));
    auto window = log.open("work");
    pass(Seconds{0.03});
    const Usage usage = window.usage();
    EXPECT_NEAR(usage.total.value, 100 * usage.time.count(), 100 * period.count() + 1e-9);
  }
}

TEST(EnergyLog, SumsNestedWindowsByPath) {
  EnergyLog log(std::make_shared<SteppingMeter>(kSlow));
  {
    auto epoch = log.open("epoch");
    for (int i = 0; i < 3; ++i) {
      auto forward = epoch.open("forward");
      pass(Seconds{0.04});
    }
  }
  const std::vector<PathUsage> results = log.results();
  ASSERT_EQ(paths_of(results), (std::vector<std::string>{"epoch", "epoch/forward"}));
  EXPECT_EQ(results[0].windows, 1);
  EXPECT_EQ(results[1].windows, 3);
  for (const PathUsage& result : results) {
    ASSERT_TRUE(result.usage) << result.reason;
    EXPECT_NEAR(result.usage->total.value, 100 * result.time.count(), 1e-6);
  }
  EXPECT_LE(results[1].time, results[0].time);
}

TEST(EnergyLog, SaysWhenWindowsAreTooShortForTheMeter) {
  EnergyLog log(std::make_shared<SteppingMeter>(kSlow));
  for (int i = 0; i < 20; ++i) {
    auto window = log.open("step");
    pass(Seconds{0.001});
  }
  const std::vector<PathUsage> results = log.results();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].windows, 20);
  EXPECT_FALSE(results[0].usage);
  EXPECT_THAT(results[0].reason, HasSubstr("shorter than the period of the meter, 0.03 s"));
}

TEST(EnergyLog, DoesNotCountWindowsThatAreOpen) {
  EnergyLog log(std::make_shared<SteppingMeter>(kSlow));
  const auto window = log.open("work");
  EXPECT_THAT(log.results(), IsEmpty());
}

TEST(EnergyLog, ClosesAWindowOnce) {
  EnergyLog log(std::make_shared<SteppingMeter>(kFast));
  {
    auto window = log.open("work");
    pass(Seconds{0.01});
    window.close();
    window.close();
    auto moved = std::move(window);
  }
  EXPECT_EQ(log.results().at(0).windows, 1);
}

TEST(EnergyLog, ReportsAMeterThatFailsMidway) {
  for (const Seconds period : {kSlow, kFast}) {
    const auto meter = std::make_shared<SteppingMeter>(period);
    EnergyLog log(meter, {Seconds{0.005}, [](const Reading&) {}});
    auto before = log.open("before");
    pass(Seconds{0.08});
    EXPECT_GT(before.usage().total.value, 0);
    auto window = log.open("during");
    pass(Seconds{0.1});
    meter->fails = true;
    pass(Seconds{0.01});
    EXPECT_THROW(window.usage(), Error);
    const auto known = window.known_part();
    ASSERT_TRUE(known);
    EXPECT_GT(known->total.value, 0);
    EXPECT_LT(known->time.count(), 0.1 + 0.01 + 1);
    const std::vector<PathUsage> results = log.results();
    ASSERT_EQ(results.size(), 2U);
    EXPECT_TRUE(results[0].usage) << "what was known before stays";
    EXPECT_FALSE(results[1].usage);
    EXPECT_THAT(results[1].reason, HasSubstr("it is gone"));
  }
}

TEST(EnergyLog, ReportsACounterThatStandsStill) {
  const auto meter = std::make_shared<SteppingMeter>(kSlow);
  meter->stands_still = true;
  EnergyLog log(meter);
  auto window = log.open("work");
  pass(Seconds{0.05});
  window.close();
  const std::vector<PathUsage> results = log.results();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_FALSE(results[0].usage);
  EXPECT_THAT(results[0].reason, HasSubstr("stuck"));
}

TEST(EnergyLog, RefusesNamesThatArePaths) {
  EnergyLog log(std::make_shared<SteppingMeter>(kFast));
  EXPECT_THROW(log.open(""), Error);
  EXPECT_THROW(log.open("a/b"), Error);
  EXPECT_THROW(log.open("a").open("/"), Error);
}

TEST(EnergyLog, PassesReadingsOnInOrder) {
  for (const Seconds period : {kSlow, kFast}) {
    std::vector<Reading> seen;
    {
      EnergyLog log(std::make_shared<SteppingMeter>(period),
                    {Seconds{0.01}, [&seen](const Reading& reading) { seen.push_back(reading); }});
      pass(Seconds{0.15});
    }
    ASSERT_GE(seen.size(), 3U);
    for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GT(seen[i].time, seen[i - 1].time);
  }
}

TEST(EnergyLog, TakesWindowsFromManyThreads) {
  for (const Seconds period : {kSlow, kFast}) {
    EnergyLog log(std::make_shared<SteppingMeter>(period));
    {
      auto all = log.open("all");
      std::vector<std::jthread> threads;
      for (int i = 0; i < 8; ++i)
        threads.emplace_back([&all] {
          for (int j = 0; j < 200; ++j) auto window = all.open("one");
          auto long_one = all.open("long");
          pass(Seconds{0.05});
        });
    }
    const std::vector<PathUsage> results = log.results();
    ASSERT_EQ(results.size(), 3U);
    for (const PathUsage& result : results) {
      EXPECT_EQ(result.windows, result.path == "all" ? 1 : result.path == "all/one" ? 1600 : 8);
      if (result.path != "all/one") {
        EXPECT_TRUE(result.usage) << result.reason;
      }
    }
  }
}

TEST(EnergyLog, MayEndBeforeItsWindows) {
  auto log = std::make_unique<EnergyLog>(std::make_shared<SteppingMeter>(kSlow));
  auto window = log->open("work");
  log.reset();
  auto inner = window.open("inner");
  EXPECT_NO_THROW(inner.close());
  EXPECT_NO_THROW(window.close());
}

}  // namespace
}  // namespace ampere
