#include "rig/real_clock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ampere {
namespace {

std::filesystem::path proc_with(const std::string& stat) {
  // Tests of this file run at the same time, each in a process of its own.
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / ("real_clock_proc_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "stat") << stat;
  return folder;
}

TEST(RealClock, NeverRunsBackwards) {
  const auto clock = make_real_clock();
  Seconds before = clock->now();
  for (int i = 0; i < 1000; ++i) {
    const Seconds now = clock->now();
    EXPECT_GE(now, before);
    before = now;
  }
}

TEST(RealClock, SleepsAtLeastAsLongAsAsked) {
  const auto clock = make_real_clock();
  const Seconds before = clock->now();
  clock->sleep(Seconds{0.01});
  EXPECT_GE((clock->now() - before).count(), 0.01);
}

TEST(RealClock, CountsProcessorTime) {
  const auto clock = make_real_clock();
  const Seconds before = clock->cpu_time().value();
  while (clock->cpu_time().value() - before < Seconds{0.002}) {
  }
  EXPECT_GT(clock->cpu_time().value(), before);
}

TEST(RealClock, ReadsStealFromTheEighthColumn) {
  const auto clock =
      make_real_clock(proc_with("cpu  1 2 3 4 5 6 7 250 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n"));
  EXPECT_GT(clock->steal_time().value().count(), 0);
  const auto more = make_real_clock(proc_with("cpu 1 2 3 4 5 6 7 500 0 0\n"))->steal_time();
  const auto less = make_real_clock(proc_with("cpu 1 2 3 4 5 6 7 250 0 0\n"))->steal_time();
  EXPECT_DOUBLE_EQ(more->count(), 2 * less->count());
}

TEST(RealClock, KnowsNoStealWhereTheSystemDoesNotSay) {
  EXPECT_FALSE(make_real_clock("/no/such/folder")->steal_time());
  EXPECT_FALSE(make_real_clock(proc_with(""))->steal_time());
  EXPECT_FALSE(make_real_clock(proc_with("cpu 1 2 3 4\nintr 7\n"))->steal_time());
  EXPECT_FALSE(make_real_clock(proc_with("gpu 1 2 3 4 5 6 7 8\n"))->steal_time());
}

}  // namespace
}  // namespace ampere
