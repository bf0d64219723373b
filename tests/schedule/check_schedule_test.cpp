// The checker finds every kind of fault.
#include "schedule/check_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/simple_task.h"

namespace ampere {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::simple_task;

class CheckSchedule : public testing::Test {
 protected:
  void expect_fault(const std::string& part) const {
    EXPECT_THAT(check_schedule(task, schedule), Contains(HasSubstr(part)));
  }

  Task task = simple_task(2, 2);
  Schedule schedule = make_schedule(task);
};

TEST_F(CheckSchedule, AcceptsWhatIsRight) {
  EXPECT_THAT(check_schedule(task, schedule), IsEmpty());
}

TEST_F(CheckSchedule, FindsTwoJobsOnOneDevice) {
  for (Placement& placement : schedule.placements)
    placement = {placement.job, 0, 0, Seconds{0}, Seconds{10}};
  expect_fault("at once");
}

TEST_F(CheckSchedule, FindsDevicesAndChoicesThatDoNotExist) {
  schedule.placements[1].device = 1;
  expect_fault("device 1 of");
  schedule.placements[1].choice = 2;
  expect_fault("no choice 2");
  schedule.placements.pop_back();
  expect_fault("2 jobs have 1 placements");
}

TEST_F(CheckSchedule, FindsLimitsThatAreExceeded) {
  task.cap = Watts{39};
  expect_fault("cap of 39 W");
  task.budget = Joules{399};
  expect_fault("budget of 399 J");
  task.jobs[0].budget = Joules{199};
  expect_fault("its budget of 199 J");
  task.jobs[0].budget.reset();
  task.jobs[0].deadline = Seconds{9};
  expect_fault("after its deadline");
  task.jobs[1].begin_after = Seconds{1};
  expect_fault("not after 1 s");
}

TEST_F(CheckSchedule, FindsWrongTimesAndSums) {
  schedule.value = 1;
  expect_fault("the objective is 360, not 1");
  schedule.energy = Joules{1};
  expect_fault("the energies add up to 360 J");
  schedule.end = Seconds{99};
  expect_fault("the last job ends at 10 s");
  schedule.placements[0].end = Seconds{9};
  expect_fault("takes 9 s, not 10 s");
  schedule.placements[0].begin = Seconds{-1};
  expect_fault("before now");
}

}  // namespace
}  // namespace ampere
