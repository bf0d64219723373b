// Tiny tasks, for which everything can be tried.
#include "schedule/exhaustive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "schedule/check_schedule.h"
#include "schedule/random_task.h"

namespace ampere {
namespace {

using testing::IsEmpty;
using testing_support::best_value;
using testing_support::random_task;
using testing_support::TaskShape;

struct Tally {
  int solved = 0, impossible = 0, missed = 0;
  double worst = 1;  // value over the best one
};

void compare(const TaskShape& shape, std::uint64_t seed, Tally& tally) {
  const Task task = random_task(shape, seed);
  const std::optional<double> best = best_value(task);
  try {
    const Schedule schedule = make_schedule(task);
    ASSERT_TRUE(best) << "a schedule for an impossible task, seed " << seed;
    EXPECT_THAT(check_schedule(task, schedule), IsEmpty()) << "seed " << seed;
    EXPECT_GE(schedule.value, *best * (1 - 1e-9)) << "seed " << seed;
    EXPECT_LE(schedule.bound, *best * (1 + 1e-9)) << "seed " << seed;
    tally.worst = std::max(tally.worst, schedule.value / *best);
    ++tally.solved;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed) << error.what();
    ++(best ? tally.missed : tally.impossible);
  }
}

Tally compare_all(Objective objective) {
  Tally tally;
  for (unsigned mask = 0; mask < 16; ++mask)
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      TaskShape shape;
      shape.jobs = 4;
      shape.kinds = 2;
      shape.devices = 1;
      shape.deadlines = (mask & 1) != 0;
      shape.releases = (mask & 2) != 0;
      shape.cap = (mask & 4) != 0;
      shape.budget = (mask & 8) != 0;
      shape.objective = objective;
      compare(shape, seed, tally);
    }
  return tally;
}

TEST(TinyTasks, EnergyIsBetweenBoundAndOptimumAndNearIt) {
  const Tally tally = compare_all(Objective::energy);
  EXPECT_GT(tally.solved, 100);
  EXPECT_EQ(tally.missed, 0) << "of " << tally.solved;
  EXPECT_LE(tally.worst, 1.05);
}

TEST(TinyTasks, TimeIsBetweenBoundAndOptimumAndNearIt) {
  const Tally tally = compare_all(Objective::time);
  EXPECT_GT(tally.solved, 100);
  EXPECT_EQ(tally.missed, 0) << "of " << tally.solved;
  EXPECT_LE(tally.worst, 1.25);
}

}  // namespace
}  // namespace ampere
