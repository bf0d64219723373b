#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "ampere/error.h"
#include "rig/runner_rig.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::tiny_model;

std::unique_ptr<Rig> open_fake(Seconds margin = Seconds{20}, StopToken stop = {}) {
  return open_runner_rig({.argv = {AMPERE_FAKE_RUNNER, "well"},
                          .verbose = false,
                          .stop = stop,
                          .hello_timeout = Seconds{20},
                          .margin = margin});
}

TrainingTask task_of(int epochs, const std::string& model = "tiny") {
  TrainingTask task;
  task.model = tiny_model(model);
  task.data = "virtual";
  task.epochs = epochs;
  return task;
}

Error error_of(Rig& rig, const TrainingTask& task, const TrainingListener& listener = {}) {
  try {
    rig.train(task, listener);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::usage, ""};
}

TEST(RunnerTraining, TrainsThroughTheRunner) {
  const auto rig = open_fake();
  ASSERT_TRUE(rig->can_train());
  EXPECT_EQ(rig->describe_data("virtual").training_samples, 400);
  std::vector<TrainingState> kept;
  int told = 0;
  TrainingListener listener;
  listener.progress = [&](const TrainingProgress&) { ++told; };
  listener.epoch = [&](const TrainingState& state) { kept.push_back(state); };
  const TrainingResult result = rig->train(task_of(20), listener);
  EXPECT_EQ(kept.size(), 20u);
  EXPECT_GE(told, 2);
  EXPECT_EQ(to_text(kept.back()), to_text(result.state));
  EXPECT_EQ(result.state.epochs.size(), 20u);
  ASSERT_TRUE(result.test);
  EXPECT_DOUBLE_EQ(result.test->accuracy, 0.9);
  EXPECT_EQ(result.source, Source::simulated);
}

TEST(RunnerTraining, PassesTheBudgetOn) {
  const auto rig = open_fake();
  TrainingTask task = task_of(1000);
  task.stop_at = Joules{500};
  const TrainingResult result = rig->train(task);
  EXPECT_THAT(result.stopped, HasSubstr("of 500 J"));
  EXPECT_LE(result.state.energy().value, 500);
}

TEST(RunnerTraining, GoesOnFromTheLastCheckpointOfARunnerThatDied) {
  const auto rig = open_fake();
  TrainingTask task = task_of(4, "dies later");
  TrainingListener listener;
  listener.epoch = [&](const TrainingState& state) { task.from = state; };
  const TrainingTask first = task;
  const Error died = error_of(*rig, first, listener);
  EXPECT_EQ(died.code(), ErrorCode::failed);
  EXPECT_THAT(died.what(), HasSubstr("SIGKILL"));
  ASSERT_EQ(task.from.epochs.size(), 2u);
  task.model = tiny_model();
  const TrainingResult result = rig->train(task);
  EXPECT_EQ(result.state.epochs.size(), 4u);
  EXPECT_EQ(result.state.weights.at("count").values[0], 160);
}

TEST(RunnerTraining, CarriesManyWeights) {
  const auto rig = open_fake();
  const TrainingResult result = rig->train(task_of(2, "large"));
  const FloatTensor& weights = result.state.weights.at("count");
  EXPECT_EQ(weights.values.size(), 300'000u);
  EXPECT_EQ(weights.values.back(), 80);
  TrainingTask more = task_of(3, "large");
  more.from = result.state;
  EXPECT_EQ(rig->train(more).state.weights.at("count").values.back(), 120);
}

TEST(RunnerTraining, StopsWhenInterrupted) {
  std::atomic<bool> stop{false};
  const auto rig = open_fake(Seconds{20}, StopToken(stop));
  TrainingListener listener;
  listener.epoch = [&](const TrainingState&) { stop = true; };
  const Error stopped = error_of(*rig, task_of(4, "hangs later"), listener);
  stop = false;
  EXPECT_EQ(stopped.code(), ErrorCode::interrupted);
  EXPECT_EQ(rig->train(task_of(1)).state.epochs.size(), 1u) << "the runner is started again";
}

TEST(RunnerTraining, GivesUpOnARunnerThatHangs) {
  const auto rig = open_fake(Seconds{0.3});
  const Error hung = error_of(*rig, task_of(4, "hangs later"));
  EXPECT_EQ(hung.code(), ErrorCode::failed);
  EXPECT_THAT(hung.what(), HasSubstr("in time"));
}

TEST(RunnerTraining, PassesRefusalsOnAndKeepsTheRunner) {
  const auto rig = open_fake();
  TrainingTask task = task_of(1);
  task.data = "nowhere";
  EXPECT_EQ(error_of(*rig, task).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of(*rig, task_of(1, "oom")).code(), ErrorCode::failed);
  EXPECT_THROW(rig->describe_data("nowhere"), Error);
  EXPECT_EQ(rig->train(task_of(1)).state.epochs.size(), 1u);
}

TEST(RunnerTraining, TakesNonsenseAsAFailure) {
  for (const char* model :
       {"garbage", "wrong_id", "untrained", "no_progress", "packed", "textual"}) {
    const auto rig = open_fake();
    TrainingListener listener;
    listener.epoch = [](const TrainingState&) {};
    EXPECT_EQ(error_of(*rig, task_of(1, model), listener).code(), ErrorCode::failed) << model;
    EXPECT_EQ(rig->train(task_of(1)).state.epochs.size(), 1u) << "after " << model;
  }
}

TEST(RunnerTraining, AsksOnlyARunnerThatTrains) {
  const std::string hello =
      R"({"ampere_runner": 1, "device": {"name": "x", "source": "measured"}, "abilities": ["measure"]})";
  const auto rig = open_runner_rig(
      {.argv = {"/bin/sh", "-c", "echo '" + hello + "'; cat > /dev/null"}, .verbose = false});
  EXPECT_FALSE(rig->can_train());
  EXPECT_EQ(error_of(*rig, task_of(1)).code(), ErrorCode::usage);
}

TEST(RecordingRig, PassesTrainingThroughWithoutRecordingIt) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "recording_training.jsonl";
  std::filesystem::remove(path);
  const auto rig = make_recording_rig(testing_support::make_virtual_rig().rig, path);
  ASSERT_TRUE(rig->can_train());
  const auto size = std::filesystem::file_size(path);
  EXPECT_EQ(rig->describe_data("virtual").classes, 10);
  EXPECT_EQ(rig->train(task_of(2)).state.epochs.size(), 2u);
  EXPECT_EQ(std::filesystem::file_size(path), size);
  rig->measure(tiny_model(), {}, {});
  EXPECT_FALSE(open_rig("recorded:" + path.string())->can_train());
  EXPECT_FALSE(open_rig("sim:xavier")->can_train());
}

}  // namespace
}  // namespace ampere
