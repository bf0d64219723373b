#include "meter/step_watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "ampere/error.h"
#include "meter/ticker.h"

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

TEST(StepWatcher, LooksLittleOnceStepsArePunctual) {
  SteppingCounter counter;
  counter.period = Seconds{0.03};
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  const double begin = watcher.last().energy.value;
  const long looks = counter.looks;
  while (watcher.last().energy.value < begin + 300)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double steps = (watcher.last().energy.value - begin) / 10;
  EXPECT_LT(static_cast<double>(counter.looks - looks) / steps, 30)
      << "looking all the time would be 50 a step";
}

TEST(StepWatcher, StampsEveryStepWhenItIsSeen) {
  SteppingCounter counter;
  const StepWatcher watcher(
      "test", [&] { return counter.read(); }, Seconds{3});
  CounterStep before = watcher.last();
  for (int steps = 0; steps < 5;) {
    const CounterStep now = watcher.last();
    EXPECT_EQ(now.time == before.time, now.energy == before.energy);
    if (now.energy > before.energy) {
      EXPECT_GE(now.time, counter.period * (now.energy.value / 10)) << "not before it came";
      ++steps;
    }
    before = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
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
