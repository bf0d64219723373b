// Random tasks of all sorts: every schedule is checked independently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/check_schedule.h"
#include "schedule/random_task.h"

namespace ampere {
namespace {

using testing::IsEmpty;
using testing_support::random_task;
using testing_support::TaskShape;

TaskShape shape_of(unsigned mask) {
  TaskShape shape;
  shape.jobs = 40;
  shape.kinds = 3;
  shape.devices = 3;
  shape.deadlines = (mask & 1) != 0;
  shape.releases = (mask & 2) != 0;
  shape.cap = (mask & 4) != 0;
  shape.budget = (mask & 8) != 0;
  shape.start = (mask & 16) != 0 ? Start::best : Start::earliest;
  shape.forecast = true;
  return shape;
}

// What these placements emit, whatever the objective was.
double carbon(const Task& task, const Schedule& schedule) {
  double sum = 0;
  for (const Placement& placement : schedule.placements) {
    constexpr int kPieces = 1000;
    const Choice& choice = task.jobs[placement.job].choices[placement.choice];
    for (int i = 0; i < kPieces; ++i) {
      const Seconds at = placement.begin + (placement.end - placement.begin) * (i + 0.5) / kPieces;
      const auto after = std::ranges::upper_bound(task.forecast->from, at);
      const auto piece = static_cast<std::size_t>(after - task.forecast->from.begin()) - 1;
      sum += task.forecast->per_kwh[piece] * choice.energy.value / kPieces;
    }
  }
  return sum;
}

class RandomTasks : public testing::TestWithParam<Objective> {};

TEST_P(RandomTasks, KeepEveryConstraintAndTheBound) {
  for (unsigned mask = 0; mask < 32; ++mask) {
    TaskShape shape = shape_of(mask);
    shape.objective = GetParam();
    const Task task = random_task(shape, mask);
    const Schedule schedule = make_schedule(task);
    EXPECT_THAT(check_schedule(task, schedule), IsEmpty()) << "mask " << mask;
    EXPECT_LE(schedule.bound, schedule.value);
    EXPECT_GT(schedule.bound, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomTasks,
                         testing::Values(Objective::energy, Objective::time, Objective::carbon,
                                         Objective::price),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(RandomTask, IsScheduledAlikeEveryTime) {
  TaskShape shape = shape_of(31);
  shape.objective = Objective::carbon;
  const Task task = random_task(shape, 5);
  const Schedule first = make_schedule(task), second = make_schedule(task);
  ASSERT_EQ(first.placements.size(), second.placements.size());
  for (std::size_t i = 0; i < first.placements.size(); ++i) {
    EXPECT_EQ(first.placements[i].begin, second.placements[i].begin);
    EXPECT_EQ(first.placements[i].choice, second.placements[i].choice);
    EXPECT_EQ(first.placements[i].device, second.placements[i].device);
  }
  EXPECT_EQ(first.bound, second.bound);
}

TEST(StartBest, EmitsLessThanStartEarliest) {
  TaskShape shape = shape_of(0);
  shape.objective = Objective::carbon;
  Task task = random_task(shape, 1);
  const double early = make_schedule(task).value;
  task.start = Start::best;
  EXPECT_LT(make_schedule(task).value, 0.95 * early);
}

TEST(StartBest, MovesJobsToCleanHoursAlsoWhenEnergyIsTheObjective) {
  TaskShape shape = shape_of(0);
  Task task = random_task(shape, 1);
  const Schedule early = make_schedule(task);
  task.start = Start::best;
  const Schedule clean = make_schedule(task);
  EXPECT_DOUBLE_EQ(early.value, clean.value);
  EXPECT_THAT(check_schedule(task, clean), IsEmpty());
  EXPECT_LT(carbon(task, clean), 0.95 * carbon(task, early));
}

}  // namespace
}  // namespace ampere
