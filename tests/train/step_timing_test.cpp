#include "train/step_timing.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "ampere/error.h"
#include "train/gate.h"

namespace ampere {
namespace {

using testing::Each;
using testing::Eq;
using testing::HasSubstr;
using testing::Le;

TEST(Gate, HoldsBackUntilItIsOpened) {
  Gate gate(Seconds{60});
  bool through = false;
  std::thread held([&] {
    gate.pass();
    through = true;
  });
  EXPECT_TRUE(gate.open());
  held.join();
  EXPECT_TRUE(through);
}

TEST(Gate, LetsThroughWhoComesAfterItWasOpened) {
  Gate gate(Seconds{60});
  EXPECT_TRUE(gate.open());
  gate.pass();
  EXPECT_TRUE(gate.open());
}

TEST(Gate, OpensByItselfAfterItsTimeoutAndSaysSo) {
  Gate gate(Seconds{0.001});
  gate.pass();
  EXPECT_FALSE(gate.open());
}

// A device that takes a tenth of a second for a step and can be held back for so many.
struct FakeQueue final : DeviceQueue {
  explicit FakeQueue(int steps_held) : can_hold(steps_held) {}

  void wait() override { waiting = 0; }

  std::optional<Seconds> run_held(const std::function<void()>& enqueue) override {
    EXPECT_EQ(waiting, 0) << "held back with work before it";
    enqueue();
    held.push_back(waiting);
    wait();
    if (held.back() > can_hold) return std::nullopt;
    return held.back() * Seconds{0.1};
  }

  StepTimes time() {
    return time_steps(*this, [this] {
      ++waiting;
      ++steps;
      if (on_step) on_step();
    });
  }

  int can_hold;
  int waiting = 0, steps = 0;
  std::vector<int> held;
  std::function<void()> on_step;
};

TEST(StepTiming, IsOfOneStepWhateverIsHandedOverAtOnce) {
  FakeQueue queue(100);
  const StepTimes times = queue.time();
  EXPECT_DOUBLE_EQ(times.device.count(), 0.1);
  EXPECT_GE(times.host.count(), 0);
  EXPECT_THAT(queue.held, Each(Le(8)));
  EXPECT_GE(queue.held.size(), 2u);
}

TEST(StepTiming, WarmsUpFirst) {
  FakeQueue queue(100);
  std::vector<std::size_t> held_before;
  queue.on_step = [&] { held_before.push_back(queue.held.size()); };
  queue.time();
  ASSERT_GE(held_before.size(), 3u);
  EXPECT_EQ(held_before[2], 0u);
}

TEST(StepTiming, TakesOneStepAtATimeOfASlowHost) {
  FakeQueue queue(100);
  queue.on_step = [] { std::this_thread::sleep_for(std::chrono::milliseconds(4)); };
  const StepTimes times = queue.time();
  EXPECT_THAT(queue.held, Each(Eq(1)));
  EXPECT_GE(times.host.count(), 0.004);
}

TEST(StepTiming, TakesFewerStepsWhereTheQueueIsTooShort) {
  FakeQueue queue(1);
  EXPECT_DOUBLE_EQ(queue.time().device.count(), 0.1);
  EXPECT_EQ(queue.held.back(), 1);
}

TEST(StepTiming, FailsWhereNotEvenOneStepIsHeldBack) {
  FakeQueue queue(0);
  try {
    queue.time();
    FAIL() << "timed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("cannot be timed"));
  }
}

TEST(StepTiming, PassesErrorsOfTheStepOn) {
  FakeQueue queue(100);
  queue.on_step = [&] {
    if (queue.steps == 5) throw Error(ErrorCode::failed, "out of memory");
  };
  EXPECT_THROW(queue.time(), Error);
}

}  // namespace
}  // namespace ampere
