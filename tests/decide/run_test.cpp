#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/decide.h"
#include "decide/said.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::said;

// 2 J and 0.1 s per iteration.
Estimate iteration() {
  Estimate estimate;
  estimate.energy_j = Interval{2, 1.5, 3, 0.9};
  estimate.time_s = Interval{0.1, 0.08, 0.15, 0.9};
  return estimate;
}

RunTask plain(std::int64_t samples, std::int64_t epochs) {
  RunTask task;
  task.samples = samples;
  task.epochs = epochs;
  return task;
}

TEST(TrainingRun, TrainsEverySampleOfEveryEpoch) {
  const TrainingRun run = compose_run(plain(1001, 3), iteration(), 10, {});
  EXPECT_EQ(run.iterations, 303);
  ASSERT_EQ(run.stages.size(), 1u);
  EXPECT_EQ(run.stages[0].basis, Basis::estimated);
  EXPECT_DOUBLE_EQ(run.energy_j.mean, 606);
  EXPECT_DOUBLE_EQ(run.energy_j.low, 303 * 1.5);
  EXPECT_DOUBLE_EQ(run.time_s.high, 303 * 0.15);
  EXPECT_FALSE(run.waiting_power);
}

TEST(TrainingRun, ValidationTakesTheAssumedShare) {
  RunTask task = plain(1000, 4);
  task.validation_samples = 300;
  task.validate = {2, true};
  task.validation_share = 0.25;
  const TrainingRun run = compose_run(task, iteration(), 10, {});
  const RunStage& validation = run.stages.at(1);
  EXPECT_EQ(validation.basis, Basis::assumed);
  EXPECT_THAT(validation.assumption, HasSubstr("25 %"));
  EXPECT_DOUBLE_EQ(validation.count, 2);
  EXPECT_DOUBLE_EQ(validation.energy_j.mean, 2 * 300 / 10 * 0.25 * 2);
  task.validate = {100, false};
  EXPECT_DOUBLE_EQ(compose_run(task, iteration(), 10, {}).stages.at(1).count, 4);
  task.validate = {401, false};  // never
  EXPECT_EQ(compose_run(task, iteration(), 10, {}).stages.size(), 1u);
}

TEST(TrainingRun, TheDeviceWaitsAtItsOwnPowerOrAtTheAssumedOne) {
  RunTask task = plain(100, 5);
  task.checkpoints = Every{1, true};
  task.checkpoint_time = Seconds{6};
  task.loading = Seconds{0.01};
  const TrainingRun run = compose_run(task, iteration(), 10, Watts{50});
  EXPECT_EQ(run.waiting_basis, Basis::estimated);
  const RunStage& checkpoints = run.stages.at(1);
  EXPECT_DOUBLE_EQ(checkpoints.time_s.mean, 30);
  EXPECT_DOUBLE_EQ(checkpoints.energy_j.mean, 1500);
  EXPECT_DOUBLE_EQ(checkpoints.energy_j.low, checkpoints.energy_j.high);
  EXPECT_DOUBLE_EQ(run.stages.at(2).time_s.mean, 0.5);
  task.waiting_power = Watts{100};
  const TrainingRun assumed = compose_run(task, iteration(), 10, Watts{50});
  EXPECT_EQ(assumed.waiting_basis, Basis::assumed);
  EXPECT_DOUBLE_EQ(assumed.stages.at(1).energy_j.mean, 3000);
  EXPECT_THAT(assumed.stages.at(1).assumption, HasSubstr("assumed too"));
}

TEST(TrainingRun, AnUnknownPowerIsNeverZero) {
  RunTask task = plain(100, 1);
  task.warm_up = Seconds{30};
  EXPECT_THAT(said([&] { compose_run(task, iteration(), 10, {}); }),
              HasSubstr("does not say at which power"));
}

TEST(TrainingRun, ATrialIsAShorterRunWithItsOwnWarmUp) {
  RunTask task = plain(1000, 10);
  task.warm_up = Seconds{60};
  task.trials = 4;
  task.trial_share = 0.2;
  const TrainingRun run = compose_run(task, iteration(), 10, Watts{50});
  const RunStage& search = run.stages.front();
  EXPECT_EQ(search.name, "search");
  EXPECT_DOUBLE_EQ(search.time_s.mean, 4 * (0.2 * 1000 * 0.1 + 60));
  EXPECT_DOUBLE_EQ(search.energy_j.mean, 4 * (0.2 * 1000 * 2 + 60 * 50));
  double sum = 0;
  for (const RunStage& stage : run.stages) sum += stage.energy_j.mean;
  EXPECT_DOUBLE_EQ(run.energy_j.mean, sum);
}

TEST(TrainingRun, RefusesWhatMakesNoSense) {
  EXPECT_THAT(said([] { compose_run(plain(0, 1), iteration(), 10, {}); }),
              HasSubstr("at least one sample"));
  EXPECT_THAT(said([] { compose_run(plain(1'000'000'000'000, 1'000'000), iteration(), 10, {}); }),
              HasSubstr("too many"));
  RunTask task = plain(10, 1);
  task.trial_share = 0;
  EXPECT_THAT(said([&] { compose_run(task, iteration(), 10, {}); }), HasSubstr("between 0 and 1"));
}

}  // namespace
}  // namespace ampere
