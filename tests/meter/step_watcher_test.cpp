#include "meter/nvml/step_watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;

// A counter of 10 J a step that counts how often it was looked at.
struct SteppingCounter {
  Seconds period{0.02};
  std::atomic<long> looks{0};
  std::atomic<bool> stopped{false};
  std::atomic<double> stopped_at{0};

  Joules read() {
    ++looks;
    if (stopped) return Joules{stopped_at};
    stopped_at = 10 * std::floor(steady_now() / period);
    return Joules{stopped_at};
  }
};

std::string wait_for_failure(const StepWatcher& watcher) {
  for (;;) {
    try {
      watcher.last();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      return error.what();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(StepWatcher, LooksOnceAStepWhenAsked) {
  SteppingCounter counter;
  counter.period = Seconds{0.03};
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  const double begin = watcher.last().energy.value;
  const long looks = counter.looks;
  while (watcher.last().energy.value < begin + 600)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double steps = (watcher.last().energy.value - begin) / 10;
  EXPECT_LT(static_cast<double>(counter.looks - looks) / steps, 10)
      << "looking all the time would be 50 a step; some steps are watched closely";
}

TEST(StepWatcher, IsUpToDateHoweverLongNobodyAsked) {
  SteppingCounter counter;
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Seconds asked = steady_now();
  EXPECT_GT(watcher.last().time, asked - 2 * counter.period);
}

TEST(StepWatcher, KeepsTheLastStepAtHandWhileSomebodyAttends) {
  SteppingCounter counter;
  StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  watcher.attend(true);
  const long looks = counter.looks;
  const Seconds begin = steady_now();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_GT(static_cast<double>(counter.looks - looks),
            (steady_now() - begin) / counter.period / 4);
  watcher.attend(false);
}

TEST(StepWatcher, HardlyLooksWhenNobodyAsks) {
  SteppingCounter counter;
  counter.period = Seconds{0.01};
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  const long looks = counter.looks;
  const Seconds begin = steady_now();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(static_cast<double>(counter.looks - looks), (steady_now() - begin) / counter.period);
}

TEST(StepWatcher, StampsStepsWithTheirMoment) {
  SteppingCounter counter;
  counter.period = Seconds{0.05};
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  CounterStep before = watcher.last();
  std::vector<double> off;  // in periods
  while (off.size() < 15) {
    const CounterStep now = watcher.last();
    EXPECT_EQ(now.time == before.time, now.energy == before.energy);
    if (now.energy > before.energy)
      off.push_back(now.time / counter.period - now.energy.value / 10);
    before = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NEAR(median(off), 0, 0.15);
}

TEST(StepWatcher, FollowsStepsThatComeAtNoRegularTimes) {
  std::atomic<int> looks{0};
  const StepWatcher watcher(
      "test",
      [&] {
        ++looks;
        const double t = steady_now().count() * 50;  // steps between 10 and 30 ms apart
        return Joules{std::floor(t + 0.3 * std::sin(t * 1.7))};
      },
      Seconds{3});
  const double begin = watcher.last().energy.value;
  const Seconds patience = steady_now() + Seconds{30};
  while (watcher.last().energy.value < begin + 60 && steady_now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  EXPECT_GE(watcher.last().energy.value, begin + 60);
}

TEST(StepWatcher, TakesItsTimeWithACounterThatRests) {
  SteppingCounter counter;
  counter.period = Seconds{0.005};
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{60});
  counter.stopped = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const Seconds begin = steady_now();
  const long looks = counter.looks;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto looked = static_cast<double>(counter.looks - looks);
  EXPECT_LE(looked, 2 + (steady_now() - begin) / (watcher.period() / 5));
  EXPECT_NO_THROW(watcher.last());
}

TEST(StepWatcher, SaysWhenTheCounterStandsStill) {
  SteppingCounter counter;
  counter.period = Seconds{0.005};
  const StepWatcher watcher(
      "gadget", [&] { return counter.read(); }, Seconds{0.2});
  counter.stopped = true;
  EXPECT_THAT(wait_for_failure(watcher), HasSubstr("gadget: the energy counter stands still"));
}

TEST(StepWatcher, SaysWhenTheCounterFalls) {
  SteppingCounter counter;
  counter.period = Seconds{0.005};
  std::atomic<bool> reset{false};
  const StepWatcher watcher(
      "gadget", [&] { return reset ? Joules{1} : counter.read(); }, Seconds{3});
  reset = true;
  EXPECT_THAT(wait_for_failure(watcher), HasSubstr("went down"));
}

}  // namespace
}  // namespace ampere
