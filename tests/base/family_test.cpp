#include "base/family.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/steady_now.h"

namespace ampere {
namespace {

// A process that computes until it is killed, as the child of a child of this one.
class BusyGrandchild {
 public:
  BusyGrandchild() {
    child_ = fork();
    if (child_ != 0) return;
    setpgid(0, 0);
    if (fork() == 0)
      for (volatile bool forever = true; forever;) {
      }
    for (;;) pause();
  }
  ~BusyGrandchild() {
    kill(-child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

TEST(FamilyCpuTime, CountsDescendantsWhileTheyRun) {
  const BusyGrandchild busy;
  const Seconds before = family_cpu_time();
  const Seconds deadline = steady_now() + Seconds{20};
  // Far more than what waiting costs this process itself.
  while (family_cpu_time() - before < Seconds{0.3}) {
    ASSERT_LT(steady_now(), deadline) << "the grandchild is not counted";
    usleep(20'000);
  }
}

TEST(RunningFamily, ContainsGrandchildrenAndNobodyElse) {
  EXPECT_EQ(running_family(), std::vector<pid_t>{getpid()});
  const BusyGrandchild busy;
  const Seconds deadline = steady_now() + Seconds{20};
  while (running_family().size() != 3) {
    ASSERT_LT(steady_now(), deadline) << "not three generations";
    usleep(1'000);
  }
}

TEST(FamilyCpuTime, NeverRunsBackwardsWithoutChildren) {
  Seconds last = family_cpu_time();
  for (int i = 0; i < 1000; ++i) {
    const Seconds now = family_cpu_time();
    EXPECT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace ampere
