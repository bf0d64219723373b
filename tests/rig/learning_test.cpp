#include "rig/learning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ampere/error.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::make_virtual_rig;
using testing_support::tiny_model;
using testing_support::VirtualRig;

TrainingTask task_of(int epochs) {
  TrainingTask task;
  task.model = tiny_model();
  task.data = "virtual";
  task.epochs = epochs;
  return task;
}

TEST(Learning, CountsEveryJouleOnce) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  const TrainingResult result = bench.rig->train(task_of(3));
  ASSERT_EQ(result.state.epochs.size(), 3u);
  EXPECT_THAT(result.stopped, IsEmpty());
  EXPECT_EQ(result.source, Source::simulated);
  EXPECT_NEAR(result.energy.value, bench.device->energy_j - 5, 1e-9);
  EXPECT_NEAR(result.state.energy().value, result.energy.value, 1e-9);
  for (const TrainingEpoch& epoch : result.state.epochs) {
    EXPECT_EQ(epoch.iterations, 40);
    EXPECT_NEAR(epoch.time.count(), 40 * 0.0037, 1e-9);
    EXPECT_NEAR(epoch.energy.value, 200 * 40 * 0.0037, 1e-6);
    EXPECT_NEAR(epoch.test_energy.value, 200 * 10 * 0.001, 1e-6);
    ASSERT_TRUE(epoch.test);
    EXPECT_DOUBLE_EQ(epoch.test->accuracy, 0.9);
    EXPECT_DOUBLE_EQ(epoch.test->loss, 0.2);
  }
}

TEST(Learning, WaitsForACounterThatMovesInSteps) {
  VirtualRig bench = make_virtual_rig();
  const TrainingResult result = bench.rig->train(task_of(3));
  const double used = bench.device->energy_j - 5;
  EXPECT_GE(result.state.energy().value, 200 * 3 * (40 * 0.0037 + 0.01)) << "nothing is left out";
  EXPECT_LE(result.state.energy().value, used + 1e-9);
}

TEST(Learning, TellsOfProgressAndOfEveryEpoch) {
  VirtualRig bench = make_virtual_rig();
  bench.device->batches = 1000;
  std::vector<TrainingProgress> told;
  std::vector<std::size_t> epochs;
  TrainingListener listener;
  listener.progress = [&](const TrainingProgress& progress) { told.push_back(progress); };
  listener.epoch = [&](const TrainingState& state) {
    epochs.push_back(state.epochs.size());
    EXPECT_EQ(state.weights.at("count").values[0], 1000.0f * static_cast<float>(epochs.size()));
    EXPECT_EQ(state.optimizer.at("momentum").values[0], 500.0f * static_cast<float>(epochs.size()));
  };
  bench.rig->train(task_of(2), listener);
  EXPECT_THAT(epochs, ElementsAre(1, 2));
  ASSERT_GE(told.size(), 5u);  // 7.4 s of training
  EXPECT_LE(told.size(), 9u);
  EXPECT_EQ(told.front().epoch, 1);
  EXPECT_FALSE(told.front().test);
  EXPECT_EQ(told.back().epoch, 2);
  EXPECT_TRUE(told.back().test);
  for (std::size_t i = 1; i < told.size(); ++i)
    EXPECT_GT(told[i].energy.value, told[i - 1].energy.value);
}

TEST(Learning, GoesOnFromAState) {
  VirtualRig bench = make_virtual_rig();
  TrainingTask task = task_of(3);
  task.from = bench.rig->train(task_of(2)).state;
  std::vector<int> begun;
  bench.device->on_epoch = [&](const std::string&, int epoch) { begun.push_back(epoch); };
  const TrainingResult result = bench.rig->train(task);
  EXPECT_THAT(begun, ElementsAre(2));
  EXPECT_EQ(result.state.epochs.size(), 3u);
  EXPECT_EQ(result.state.weights.at("count").values[0], 120);
  EXPECT_LT(result.energy.value, result.state.energy().value);
}

TEST(Learning, OnlyTestsWhereThereIsNothingToTrain) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  const TrainingResult result = bench.rig->train(task_of(0));
  ASSERT_TRUE(result.test);
  EXPECT_DOUBLE_EQ(result.test->accuracy, 0.9);
  EXPECT_THAT(result.state.epochs, IsEmpty());
  EXPECT_EQ(result.state.weights.size(), 1u);
  EXPECT_NEAR(result.energy.value, 2, 1e-9);
}

// An iteration, and what is used before a counter that moves in steps has shown any power.
double least_budget(const testing_support::VirtualDevice& device) {
  const double unseen_s = device.period_s > 0 ? 0.8 + 9 * device.period_s : 0;
  return device.joules_per_iteration() + device.busy_w * unseen_s;
}

// The claim of a budget: whatever the device, the counter and the limit.
TEST(Learning, NeverUsesMoreEnergyThanItMay) {
  std::mt19937 random(1);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int stopped = 0, trained = 0;
  for (int i = 0; i < 300; ++i) {
    VirtualRig bench = make_virtual_rig();
    bench.device->period_s = i % 3 == 0 ? 0 : between(0.01, 0.2);
    bench.device->stamps_steps = i % 3 == 1;
    bench.device->iteration_s = std::exp(between(-9, -2));
    bench.device->test_batch_s = bench.device->iteration_s * between(0.1, 1);
    bench.device->batches = static_cast<std::int64_t>(between(1, 3 / bench.device->iteration_s));
    bench.device->test_batches = 1 + bench.device->batches / 6;
    bench.device->now_s += between(0, 1);
    bench.device->shown_j = bench.device->energy_j;
    TrainingTask task = task_of(4);
    task.stop_at = Joules{least_budget(*bench.device) + static_cast<double>(bench.device->batches) *
                                                            between(0, 5) *
                                                            bench.device->joules_per_iteration()};
    const TrainingResult result = bench.rig->train(task);
    EXPECT_LE(bench.device->energy_j - 5, task.stop_at->value) << "case " << i;
    EXPECT_LE(result.state.energy().value, task.stop_at->value) << "case " << i;
    stopped += !result.stopped.empty();
    trained += !result.state.epochs.empty();
    EXPECT_TRUE(result.test || !result.stopped.empty()) << "case " << i;
  }
  EXPECT_GT(stopped, 100);
  EXPECT_GT(trained, 150);
}

TEST(Learning, UsesNearlyAllItMay) {
  for (const double period_s : {0.0, 0.1}) {
    VirtualRig bench = make_virtual_rig();
    bench.device->period_s = period_s;
    bench.device->batches = 100'000;
    TrainingTask task = task_of(1);
    task.stop_at = Joules{10'000};
    const TrainingResult result = bench.rig->train(task);
    EXPECT_THAT(result.stopped, HasSubstr("epoch 1 of 1"));
    ASSERT_TRUE(result.test);
    EXPECT_GT(result.state.energy().value, period_s > 0 ? 9'700 : 9'970);
    EXPECT_LT(result.state.epochs.at(0).iterations, 100'000);
  }
}

TEST(Learning, CountsWhatWasUsedBefore) {
  VirtualRig bench = make_virtual_rig();
  bench.device->batches = 1000;
  TrainingTask task = task_of(10);
  task.stop_at = Joules{2'000};
  task.from = bench.rig->train(task_of(2)).state;
  const double before = task.from.energy().value;
  EXPECT_GT(before, 1'400);
  const TrainingResult result = bench.rig->train(task);
  EXPECT_EQ(result.state.epochs.size(), 3u);
  EXPECT_LT(result.state.epochs.back().iterations, 1000) << "an epoch that is not whole";
  EXPECT_LE(result.state.energy().value, 2'000);
  EXPECT_NEAR(result.state.energy().value, before + result.energy.value, 1e-6);
}

TEST(Learning, SaysWhenTheEnergyDoesNotAllowATest) {
  VirtualRig bench = make_virtual_rig();
  bench.device->period_s = 0;
  bench.device->test_batches = 100'000;
  TrainingTask task = task_of(1);
  task.stop_at = Joules{50};
  const TrainingResult result = bench.rig->train(task);
  EXPECT_FALSE(result.test);
  EXPECT_THAT(result.stopped, HasSubstr("not enough energy left to test"));
  EXPECT_LE(bench.device->energy_j - 5, 50);
}

TEST(Learning, DoesNothingWhenTheEnergyIsUsedUp) {
  VirtualRig bench = make_virtual_rig();
  TrainingTask task = task_of(5);
  task.from = bench.rig->train(task_of(2)).state;
  task.stop_at = task.from.energy();
  const double before = bench.device->energy_j;
  const TrainingResult result = bench.rig->train(task);
  EXPECT_EQ(bench.device->energy_j, before);
  EXPECT_EQ(result.state.epochs.size(), 2u);
  ASSERT_TRUE(result.test) << "that of the weights it began with";
  EXPECT_THAT(result.stopped, HasSubstr("epoch 3 of 5"));
}

TEST(Learning, FailsWhenTheLossIsNoNumber) {
  class Diverging final : public LearnJob {
   public:
    std::int64_t batches() const override { return 10; }
    std::int64_t test_batches() const override { return 1; }
    void begin_epoch(int) override {}
    double train(int) override { return std::nan(""); }
    void begin_test() override {}
    TestTally test(int) override { return {1, 1, 1}; }
    Weights weights() const override { return {}; }
    Weights optimizer() const override { return {}; }
  } job;
  class Still final : public Meter, public Clock {
   public:
    const MeterInfo& info() const override { return info_; }
    Reading read() override { return {}; }
    Seconds now() override { return Seconds{0}; }
    void sleep(Seconds) override {}

   private:
    MeterInfo info_;
  } still;
  try {
    learn(job, still, still, task_of(1), {});
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("lower learning rate"));
  }
}

TEST(Learning, NeedsALearner) {
  const auto rig = make_bench_rig({}, nullptr, nullptr, nullptr);
  EXPECT_FALSE(rig->can_train());
  EXPECT_THROW(rig->train(task_of(1)), Error);
  EXPECT_THROW(rig->describe_data("virtual"), Error);
}

}  // namespace
}  // namespace ampere
