#include "meter/ticker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "ampere/error.h"
#include "base/steady_now.h"
#include "meter/update_period.h"

namespace ampere {
namespace {

void wait_for(const std::atomic<int>& ticks, int count) {
  for (int i = 0; i < 5000 && ticks < count; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Ticker, TicksUntilItIsDestroyed) {
  std::atomic<int> ticks{0};
  {
    const Ticker ticker(Seconds{0.001}, [&ticks] { ++ticks; });
    wait_for(ticks, 5);
  }
  const int then = ticks;
  EXPECT_GE(then, 5);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(ticks, then);
}

TEST(Ticker, StopsAtOnceHoweverLongItsInterval) {
  for (const Seconds interval : {Seconds{3600}, Seconds{1e300}, Seconds::max()}) {
    std::atomic<int> ticks{0};
    const Seconds begin = steady_now();
    {
      const Ticker ticker(interval, [&ticks] { ++ticks; });
    }
    EXPECT_EQ(ticks, 0);
    EXPECT_LT(steady_now() - begin, Seconds{600});
  }
}

TEST(Ticker, LeavesAPauseAfterATickThatTookTooLong) {
  std::atomic<int> ticks{0};
  std::atomic<bool> busy{false};
  std::atomic<int> together{0};
  const Ticker ticker(Seconds{0.001}, [&] {
    if (busy.exchange(true)) ++together;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    busy = false;
    ++ticks;
  });
  wait_for(ticks, 3);
  EXPECT_GE(ticks, 3);
  EXPECT_EQ(together, 0);
}

TEST(Ticker, TakesNoIntervalForAShortOne) {
  std::atomic<int> ticks{0};
  const Ticker ticker(Seconds{0}, [&ticks] { ++ticks; });
  wait_for(ticks, 1);
  EXPECT_GE(ticks, 1);
}

TEST(UpdatePeriod, IsTheTimeBetweenChanges) {
  const auto period =
      find_update_period([] { return std::floor(steady_now().count() / 0.02); }, Seconds{10});
  ASSERT_TRUE(period);
  EXPECT_GT(period->count(), 0.01);
  EXPECT_LT(period->count(), 0.2);
}

TEST(UpdatePeriod, IsZeroForWhatIsNewAtEveryLook) {
  int looks = 0;
  EXPECT_EQ(find_update_period([&looks] { return ++looks; }, Seconds{10}), Seconds{0});
}

TEST(UpdatePeriod, IsUnknownForWhatNeverChanges) {
  EXPECT_FALSE(find_update_period([] { return 1.0; }, Seconds{0.02}));
}

TEST(UpdatePeriod, IsUnknownForWhatChangesOnce) {
  int looks = 0;
  EXPECT_FALSE(find_update_period([&looks] { return ++looks > 3 ? 1.0 : 0.0; }, Seconds{0.02}));
}

TEST(UpdatePeriod, IsFoundForASlowCounterThatMovedOnce) {
  const Seconds begin = steady_now();
  const auto period = find_update_period(
      [begin] { return std::floor((steady_now() - begin).count() / 0.1); }, Seconds{0.15});
  ASSERT_TRUE(period) << "it is given time for a second change";
  EXPECT_GT(period->count(), 0.05);
}

TEST(UpdatePeriod, PassesOnWhatLookingThrows) {
  EXPECT_THROW(
      find_update_period([]() -> double { throw Error(ErrorCode::failed, "gone"); }, Seconds{1}),
      Error);
}

}  // namespace
}  // namespace ampere
