// Tasks without a schedule: the error names the job, the reason and what would fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/simple_task.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::error_of;
using testing_support::simple_task;

std::string failure(const Task& task) {
  const Error error = error_of([&] { make_schedule(task); });
  EXPECT_EQ(error.code(), ErrorCode::failed) << error.what();
  return error.what();
}

TEST(ImpossibleTask, HasADeadlineShorterThanTheJob) {
  Task task = simple_task(2);
  task.jobs[1].deadline = Seconds{4};
  EXPECT_THAT(failure(task), AllOf(HasSubstr("job 'job1'"), HasSubstr("a deadline of 10 s")));
  task.jobs[1].begin_after = Seconds{3};
  EXPECT_THAT(failure(task), HasSubstr("a deadline of 13 s"));
  task.jobs[1].deadline = Seconds{-4};
  EXPECT_THAT(failure(task), HasSubstr("job 'job1'"));
}

TEST(ImpossibleTask, HasNoDeviceOfTheKindsOfAJob) {
  Task task = simple_task();
  task.kinds[0].count = 0;
  EXPECT_THAT(failure(task),
              AllOf(HasSubstr("job 'job0'"), HasSubstr("no device of kind 'kind0'")));
}

TEST(ImpossibleTask, HasAJobOverTheCap) {
  Task task = simple_task();
  task.cap = Watts{15};
  EXPECT_THAT(failure(task), AllOf(HasSubstr("job 'job0'"), HasSubstr("a cap of 20 W would fit")));
  task.cap = Watts{20};
  EXPECT_NO_THROW(make_schedule(task));
}

TEST(ImpossibleTask, HasAJobOverItsBudget) {
  Task task = simple_task();
  task.jobs[0].budget = Joules{199};
  EXPECT_THAT(failure(task), AllOf(HasSubstr("job 'job0'"), HasSubstr("a budget of 200 J")));
  task.jobs[0].budget = Joules{200};
  EXPECT_NO_THROW(make_schedule(task));
}

TEST(ImpossibleTask, HasABudgetBelowAllJobsTogether) {
  Task task = simple_task(3);
  task.budget = Joules{599};
  EXPECT_THAT(failure(task), HasSubstr("at least 600 J"));
  task.budget = Joules{600};
  EXPECT_NO_THROW(make_schedule(task));
}

TEST(ImpossibleTask, HasTooLittleCapacityBeforeADeadline) {
  Task task = simple_task(3);
  for (Job& job : task.jobs) job.deadline = Seconds{20};
  EXPECT_THAT(failure(task),
              AllOf(HasSubstr("job 'job"), HasSubstr("a deadline of 30 s would fit")));
  task.kinds[0].count = 2;
  EXPECT_NO_THROW(make_schedule(task));
}

TEST(ImpossibleTask, HasACapThatDelaysJobsBeyondTheirDeadlines) {
  Task task = simple_task(2);
  task.kinds[0].count = 2;
  task.cap = Watts{30};
  for (Job& job : task.jobs) job.deadline = Seconds{15};
  EXPECT_THAT(failure(task), AllOf(HasSubstr("cap of 30 W"), HasSubstr("a cap of 40 W would fit")));
  task.cap = Watts{40};
  EXPECT_NO_THROW(make_schedule(task));
}

TEST(ImpossibleTask, HasABudgetThatTheDeadlinesDoNotAllow) {
  Task task = simple_task(2, 2);
  for (Job& job : task.jobs) {
    job.deadline = Seconds{12};
    job.choices[1].energy = job.choices[1].energy_most = Joules{500};
  }
  task.budget = Joules{450};
  EXPECT_THAT(failure(task), AllOf(HasSubstr("budget of 450 J"), HasSubstr("700 J would fit")));
  task.budget = Joules{700};
  EXPECT_NO_THROW(make_schedule(task));
}

TEST(StoppedSchedule, ThrowsInterrupted) {
  const std::atomic<bool> stop = true;
  Task task = simple_task(3);
  const Error error = error_of([&] { make_schedule(task, {}, StopToken(stop)); });
  EXPECT_EQ(error.code(), ErrorCode::interrupted);
}

}  // namespace
}  // namespace ampere
