#include "rig/calm.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

// Another process uses so many processors until a moment.
class SharedMachine final : public Clock {
 public:
  SharedMachine(double used, Seconds until) : used_(used), until_(until) {}
  Seconds now() override { return now_; }
  void sleep(Seconds duration) override { now_ += duration; }
  std::optional<Seconds> cpu_time() override { return Seconds{0}; }
  std::optional<Seconds> busy_time() override { return used_ * std::min(now_, until_); }

 private:
  double used_;
  Seconds until_, now_{0};
};

TEST(Calm, IsWaitedForUntilOthersRest) {
  SharedMachine machine(1.5, Seconds{10});
  EXPECT_TRUE(wait_for_calm(machine, Seconds{60}));
  EXPECT_GE(machine.now(), Seconds{10});
  EXPECT_LT(machine.now(), Seconds{12});
}

TEST(Calm, IsNotWaitedForWithoutEnd) {
  SharedMachine machine(1, Seconds{1e9});
  EXPECT_FALSE(wait_for_calm(machine, Seconds{60}));
  EXPECT_LT(machine.now(), Seconds{62});
}

TEST(Calm, AFewProcessesOfTheSystemAreNoDisturbance) {
  SharedMachine machine(0.05, Seconds{1e9});
  EXPECT_TRUE(wait_for_calm(machine, Seconds{60}));
  EXPECT_LT(machine.now(), Seconds{1});
}

TEST(Calm, IsAssumedWhereNothingIsKnown) {
  class Blind final : public Clock {
    Seconds now() override { return Seconds{0}; }
    void sleep(Seconds) override { ADD_FAILURE() << "nothing to wait for"; }
  } blind;
  EXPECT_TRUE(wait_for_calm(blind, Seconds{60}));
}

}  // namespace
}  // namespace ampere
