#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "../data_set/written.h"
#include "data/data_set.h"
#include "rig/learning.h"
#include "rig/real_clock.h"
#include "train/inference.h"
#include "train/torch_learner.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::DataFolder;
using testing_support::error_of;
using testing_support::npy;

constexpr int kSide = 8, kClasses = 4;

// A bright blob in one of the four corners, in noise: which corner is the class.
std::string blobs(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> pixels;
  for (int sample = 0; sample < count; ++sample)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const double dy = y - (sample % kClasses / 2 == 0 ? 2 : 5);
        const double dx = x - (sample % 2 == 0 ? 2 : 5);
        const double bright = 150 * std::exp(-(dx * dx + dy * dy) / 4);
        pixels.push_back(static_cast<std::uint8_t>(bright + random() % 100));
      }
  return npy("|u1", "(" + std::to_string(count) + ", 1, 8, 8)", pixels);
}

std::string classes(int count) {
  std::vector<std::uint8_t> labels;
  for (int sample = 0; sample < count; ++sample)
    labels.push_back(static_cast<std::uint8_t>(sample % kClasses));
  return npy("|u1", "(" + std::to_string(count) + ",)", labels);
}

// 240 samples to learn from and 90 to test.
class Blobs {
 public:
  Blobs() {
    folder_.write("x_train.npy", blobs(240, 1));
    folder_.write("y_train.npy", classes(240));
    folder_.write("x_test.npy", blobs(90, 2));
    folder_.write("y_test.npy", classes(90));
  }
  std::string path() const { return folder_.path(); }

 private:
  DataFolder folder_;
};

Model two_class_perceptron() {
  ModelBuilder net("perceptron");
  net.add(Input{flat(kSide * kSide)});
  net.add(Linear{16}, "hidden");
  net.add(Activation{Function::relu});
  net.add(Linear{kClasses}, "classes");
  return std::move(net).build();
}

Model convolutions(bool normalised) {
  ModelBuilder net(normalised ? "normalised" : "convolutions");
  net.add(Input{image(1, kSide, kSide)});
  net.add(Conv{8, {3, 3}, {}, {1, 1}, {}}, "conv");
  if (normalised) net.add(BatchNorm{}, "norm");
  net.add(Activation{Function::relu});
  net.add(Pool{Pooling::max, {2, 2}, {}, {}});
  net.add(Flatten{});
  if (normalised) net.add(Dropout{0.2});
  net.add(Linear{kClasses}, "classes");
  return std::move(net).build();
}

TrainingTask task_of(const Model& model, const std::string& data, int epochs,
                     Optimizer optimizer = Optimizer::sgd) {
  TrainingTask task;
  task.model = model;
  task.setup = {16, optimizer};
  task.data = data;
  task.epochs = epochs;
  task.learning_rate = optimizer == Optimizer::sgd ? 0.05 : 0.01;
  return task;
}

TrainingResult train(const TrainingTask& task, const TrainingListener& listener = {}) {
  const auto learner = open_torch_learner("cpu");
  const auto meter = open_meter("modelled:static=5,core=10");
  const auto clock = make_real_clock();
  const auto job = learner->begin(task);
  return learn(*job, *meter, *clock, task, listener);
}

struct Lesson {
  const char* name;
  std::function<Model()> model;
  Optimizer optimizer;
};
void PrintTo(const Lesson& lesson, std::ostream* out) { *out << lesson.name; }

class LearnerOf : public ::testing::TestWithParam<Lesson> {};

TEST_P(LearnerOf, TellsBlobsApartAfterAFewEpochs) {
  const Blobs data;
  const TrainingTask task = task_of(GetParam().model(), data.path(), 5, GetParam().optimizer);
  const TrainingResult result = train(task);
  ASSERT_TRUE(result.test);
  EXPECT_GT(result.test->accuracy, 0.95);
  EXPECT_LT(result.test->loss, 0.3);
  ASSERT_EQ(result.state.epochs.size(), 5u);
  EXPECT_EQ(result.state.epochs[0].iterations, 15);
  EXPECT_LT(result.state.epochs[4].loss, result.state.epochs[0].loss);
}

INSTANTIATE_TEST_SUITE_P(
    All, LearnerOf,
    ::testing::Values(
        Lesson{"perceptron_sgd", two_class_perceptron, Optimizer::sgd},
        Lesson{"perceptron_adam", two_class_perceptron, Optimizer::adam},
        Lesson{"convolutions_sgd", [] { return convolutions(false); }, Optimizer::sgd},
        Lesson{"convolutions_adam", [] { return convolutions(false); }, Optimizer::adam},
        Lesson{"normalised_sgd", [] { return convolutions(true); }, Optimizer::sgd},
        Lesson{"normalised_adam", [] { return convolutions(true); }, Optimizer::adam}),
    [](const auto& lesson) { return lesson.param.name; });

// Dropout, running statistics, momentum, learning rate and order: all of it goes on.
TEST(Learner, GoesOnAfterAKillAsIfNothingHadHappened) {
  const Blobs data;
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam}) {
    const TrainingTask whole = task_of(convolutions(true), data.path(), 4, optimizer);
    std::vector<std::string> checkpoints;
    TrainingListener listener;
    listener.epoch = [&](const TrainingState& state) { checkpoints.push_back(to_text(state)); };
    const TrainingState end = train(whole, listener).state;
    TrainingTask rest = whole;
    rest.from = parse_training_state(checkpoints.at(1), "checkpoint");
    const TrainingState resumed = train(rest).state;
    ASSERT_EQ(resumed.epochs.size(), 4u);
    for (const auto& [name, tensor] : end.weights)
      EXPECT_EQ(tensor.values, resumed.weights.at(name).values) << name;
    for (const auto& [name, tensor] : end.optimizer)
      EXPECT_EQ(tensor.values, resumed.optimizer.at(name).values) << name;
    EXPECT_DOUBLE_EQ(end.epochs[3].loss, resumed.epochs[3].loss);
  }
}

TEST(Learner, DrawsWeightsAndOrderBySeed) {
  const Blobs data;
  TrainingTask task = task_of(two_class_perceptron(), data.path(), 1);
  const Weights first = train(task).state.weights, again = train(task).state.weights;
  EXPECT_EQ(first.at("hidden.weight").values, again.at("hidden.weight").values);
  task.seed = 1;
  EXPECT_NE(first.at("hidden.weight").values, train(task).state.weights.at("hidden.weight").values);
}

// What is told of the test is what inference with the same weights gives.
TEST(Learner, TestsWithTheRunningStatistics) {
  const Blobs data;
  const Model model = convolutions(true);
  const TrainingResult result = train(task_of(model, data.path(), 2));
  const std::vector<float>& mean = result.state.weights.at("norm.running_mean").values;
  EXPECT_TRUE(std::ranges::any_of(mean, [](float value) { return value != 0; }));
  const DataSet set = open_data(data.path());
  const FloatTensor output =
      infer(model, result.state.weights, {{{90, 1, kSide, kSide}, set.test.values}});
  int right = 0;
  for (int sample = 0; sample < 90; ++sample) {
    const auto row = output.values.begin() + sample * kClasses;
    right += std::max_element(row, row + kClasses) - row == set.test.labels[sample];
  }
  EXPECT_DOUBLE_EQ(result.test->accuracy, right / 90.0);
}

TEST(Learner, OnlyTestsGivenWeightsWithoutEpochs) {
  const Blobs data;
  TrainingTask task = task_of(convolutions(true), data.path(), 3);
  const TrainingResult trained = train(task);
  task.from.weights = trained.state.weights;
  task.epochs = 0;
  const TrainingResult tested = train(task);
  EXPECT_EQ(tested.test->accuracy, trained.test->accuracy);
  EXPECT_DOUBLE_EQ(tested.test->loss, trained.test->loss);
  for (const auto& [name, tensor] : trained.state.weights)
    EXPECT_EQ(tensor.values, tested.state.weights.at(name).values) << name;
}

TEST(Learner, TestsEverySampleOnce) {
  const Blobs data;
  const auto job =
      open_torch_learner("cpu")->begin(task_of(two_class_perceptron(), data.path(), 1));
  EXPECT_EQ(job->batches(), 15);
  EXPECT_EQ(job->test_batches(), 6);  // five of 16 and one of 10
  job->begin_test();
  EXPECT_EQ(job->test(5).labels, 80);
  EXPECT_EQ(job->test(5).labels, 10);
  EXPECT_EQ(job->test(5).labels, 0);
}

// Each token is its own answer: what an embedding and a linear layer learn by heart.
TEST(Learner, LearnsALabelForEveryToken) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < 40 * 5; ++i) ids.push_back(i * 7 % 6);
  const DataFolder folder;
  for (const char* half : {"train", "test"})
    for (const char* which : {"x_", "y_"})
      folder.write(std::string(which) + half + ".npy", npy("<i4", "(40, 5)", ids));
  ModelBuilder net("tokens");
  net.add(Input{tokens(5, 6)});
  net.add(Embedding{8});
  net.add(Recurrent{Cell::lstm, 12});
  net.add(Linear{6});
  const TrainingResult result =
      train(task_of(std::move(net).build(), folder.path(), 40, Optimizer::adam));
  EXPECT_GT(result.test->accuracy, 0.95);
}

// A pixel belongs to the second class where its first channel is above the middle.
TEST(Learner, LearnsALabelForEveryPixelOfASegmentation) {
  constexpr int kImages = 32, kPixels = 16 * 16;
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < kImages; ++i)
    for (int channel = 0; channel < 3; ++channel)
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        const int noise = (i * 31 + channel * 17 + pixel * 7 + pixel / 16 * 5) % 13;
        values.push_back(static_cast<float>(noise - 6));
        if (channel == 0) labels.push_back(noise > 6 ? 1 : 0);
      }
  const DataFolder folder;
  for (const std::string half : {"train", "test"}) {
    folder.write("x_" + half + ".npy", npy("<f4", "(32, 3, 16, 16)", values));
    folder.write("y_" + half + ".npy", npy("<i4", "(32, 256)", labels));
  }
  const Model model = make_zoo_model("unet", {{"size", 16}, {"width", 4}, {"classes", 2}});
  const TrainingResult result = train(task_of(model, folder.path(), 12, Optimizer::adam));
  EXPECT_GT(result.test->accuracy, 0.9);
}

TEST(Learner, FailsWhenTrainingDiverges) {
  const Blobs data;
  TrainingTask task = task_of(two_class_perceptron(), data.path(), 3);
  task.learning_rate = 1e30;
  const Error error = error_of([&] { train(task); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("lower learning rate"));
}

// A clock and a meter by the work of a job: a millisecond and 10 mJ a batch.
class WorkClock final : public LearnJob, public Meter, public Clock {
 public:
  explicit WorkClock(std::unique_ptr<LearnJob> job) : job_(std::move(job)) {
    info_.domains = {{"work", true}};
  }
  std::int64_t batches() const override { return job_->batches(); }
  std::int64_t test_batches() const override { return job_->test_batches(); }
  void begin_epoch(int epoch) override { job_->begin_epoch(epoch); }
  double train(int batches) override {
    now_ += Seconds{0.001 * batches};
    return job_->train(batches);
  }
  void begin_test() override { job_->begin_test(); }
  TestTally test(int batches) override {
    now_ += Seconds{0.001 * batches};
    return job_->test(batches);
  }
  Weights weights() const override { return job_->weights(); }
  Weights optimizer() const override { return job_->optimizer(); }
  const MeterInfo& info() const override { return info_; }
  Reading read() override { return {now_, {Watts{10} * now_}}; }
  Seconds now() override { return now_; }
  void sleep(Seconds duration) override { now_ += duration; }

 private:
  std::unique_ptr<LearnJob> job_;
  MeterInfo info_;
  Seconds now_{0};
};

TEST(Learner, StopsBeforeItsEnergyIsUsedUp) {
  const Blobs data;
  TrainingTask task = task_of(convolutions(true), data.path(), 1000);
  task.stop_at = Joules{1.6};  // four epochs and a part of the fifth, and for what may hold it up
  WorkClock work(open_torch_learner("cpu")->begin(task));
  const TrainingResult result = learn(work, work, work, task, {});
  EXPECT_LE(result.state.energy().value, 1.6);
  EXPECT_EQ(result.state.epochs.size(), 5u);
  EXPECT_LT(result.state.epochs.back().iterations, 15);
  EXPECT_FALSE(result.stopped.empty());
  ASSERT_TRUE(result.test);
  EXPECT_GT(result.test->accuracy, 0.95);
}

TEST(Learner, RefusesWhatCannotBeTrained) {
  const Blobs data;
  const auto complaint = [&](const std::function<void(TrainingTask&)>& spoil) {
    TrainingTask task = task_of(convolutions(true), data.path(), 1);
    spoil(task);
    const Error error = error_of([&] { train(task); });
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return std::string(error.what());
  };
  EXPECT_THAT(complaint([](auto& task) { task.setup.batch = 241; }), HasSubstr("241"));
  EXPECT_THAT(complaint([](auto& task) { task.learning_rate = 0; }), HasSubstr("learning rate"));
  EXPECT_THAT(complaint([](auto& task) { task.epochs = -1; }), HasSubstr("epochs"));
  EXPECT_THAT(complaint([](auto& task) { task.setup.phase = Phase::forward; }),
              HasSubstr("whole iterations"));
  EXPECT_THAT(complaint([](auto& task) {
                task.from.weights["conv.weight"] = {{1}, {1}};
              }),
              HasSubstr("conv.weight"));
  EXPECT_THAT(complaint([](auto& task) {
                task.from.optimizer["conv.weight.first"] = {{1}, {1}};
              }),
              HasSubstr("no weights"));
  EXPECT_THAT(complaint([](auto& task) {
                task.model = convolutions(true);
                task.data = "/";
              }),
              HasSubstr("no file says"));
}

TEST(Learner, RefusesTheStateOfAnotherOptimizerOrNetwork) {
  const Blobs data;
  const TrainingState state = train(task_of(two_class_perceptron(), data.path(), 1)).state;
  TrainingTask task = task_of(two_class_perceptron(), data.path(), 2, Optimizer::adam);
  task.from = state;
  EXPECT_THAT(error_of([&] { train(task); }).what(), HasSubstr("optimizer (adam)"));
  task = task_of(two_class_perceptron(), data.path(), 2);
  task.from = state;
  task.from.optimizer["hidden.weight.momentum"].sizes = {8, 128};
  EXPECT_THAT(error_of([&] { train(task); }).what(), HasSubstr("8x128 instead of 16x64"));
  task.from = state;
  task.from.optimizer["other.momentum"] = {{1}, {1}};
  EXPECT_THAT(error_of([&] { train(task); }).what(), HasSubstr("'other.momentum'"));
}

}  // namespace
}  // namespace ampere
