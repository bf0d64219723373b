// How far schedules are from the bound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/check_schedule.h"
#include "schedule/random_task.h"

namespace ampere {
namespace {

using testing::IsEmpty;
using testing_support::random_task;
using testing_support::TaskShape;

struct Family {
  const char* name;
  TaskShape shape;
};

TaskShape thousand(bool deadlines, bool releases, bool cap, bool budget, bool forecast) {
  TaskShape shape{.jobs = 1000, .kinds = 6, .devices = 15};
  shape.deadlines = deadlines;
  shape.releases = releases;
  shape.cap = cap;
  shape.budget = budget;
  shape.forecast = forecast;
  if (forecast) shape.objective = Objective::carbon;
  if (forecast) shape.start = Start::best;
  return shape;
}

class GapOfAThousandJobs : public testing::TestWithParam<Family> {};

TEST_P(GapOfAThousandJobs, IsAtMostTwoPercent) {
  const Task task = random_task(GetParam().shape, 7);
  const Schedule schedule = make_schedule(task);
  EXPECT_THAT(check_schedule(task, schedule), IsEmpty());
  EXPECT_LE(schedule.gap(), 0.02) << schedule.value << " over " << schedule.bound;
}

INSTANTIATE_TEST_SUITE_P(
    Families, GapOfAThousandJobs,
    testing::Values(Family{"free", thousand(false, false, false, false, false)},
                    Family{"deadlines", thousand(true, false, false, false, false)},
                    Family{"windows_cap", thousand(true, true, true, false, false)},
                    Family{"deadlines_cap_budget", thousand(true, false, true, true, false)},
                    Family{"forecast", thousand(false, false, false, false, true)},
                    Family{"forecast_deadlines_cap", thousand(true, false, true, false, true)},
                    Family{"forecast_everything", thousand(true, true, true, true, true)}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(FiveThousandJobs, AreScheduledWithinTwoPercent) {
  TaskShape shape{.jobs = 5000, .kinds = 12, .devices = 40};
  shape.deadlines = shape.cap = shape.budget = true;
  const Task task = random_task(shape, 3);
  const Schedule schedule = make_schedule(task);
  EXPECT_THAT(check_schedule(task, schedule), IsEmpty());
  EXPECT_LE(schedule.gap(), 0.02);
}

}  // namespace
}  // namespace ampere
