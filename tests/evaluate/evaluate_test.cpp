#include "ampere/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "ampere/error.h"
#include "support/evaluating.h"
#include "support/law_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::additive_law;
using testing_support::LawRig;

EvaluationOptions only(const std::string& method) {
  EvaluationOptions options;
  options.methods = {method};
  options.seed = 1;
  return options;
}

Evaluation run(const std::string& family, Rig& rig, int networks,
               const EvaluationOptions& options = only("ampere"),
               Listener* listener = nullptr) {
  const auto store = open_store("memory:");
  return testing_support::evaluate(family_task(family, networks, 1), options, rig, *store, {},
                                   listener);
}

double energy_mape(const Evaluation& evaluation, const std::string& method = "ampere") {
  return score(evaluation).methods.at(method).energy.value().mape;
}

TEST(Evaluate, RecoversAnAdditiveSmoothLaw) {
  LawRig rig(additive_law);
  for (const std::string family : {"lenet5", "cnn5", "har", "lstm", "transformer"})
    EXPECT_LT(energy_mape(run(family, rig, 50)), 0.02) << family;
}

TEST(Evaluate, TheFaithfulMethodRecoversTheIdealDevice) {
  const auto rig = open_rig("sim:ideal");
  testing_support::Watcher watcher;
  const Scores scores = score(run("cnn5", *rig, 100, only("ampere"), &watcher));
  EXPECT_LT(scores.methods.at("ampere").energy->mape, 0.02);
  EXPECT_LT(scores.methods.at("ampere").time->mape, 0.02);
  for (const Progress& now : watcher.seen) {
    if (now.uncertainty) {
      EXPECT_LE(now.done, 25);
    }
  }
  EXPECT_GT(scores.energy_repeat_noise.value(), 0) << "the device is noisy";
}

TEST(Evaluate, JetsonLikeDevicesStayUnderTenPerCent) {
  for (const std::string device : {"sim:xavier", "sim:tx2"}) {
    const auto rig = open_rig(device);
    EXPECT_LT(energy_mape(run("cnn5", *rig, 100)), 0.10) << device;
  }
}

TEST(Evaluate, FlopsAloneAreWorseWhereThereIsAnOverhead) {
  const auto rig = open_rig("sim:xavier");
  EvaluationOptions both = only("ampere");
  both.methods.push_back("flops");
  const Evaluation evaluation = run("cnn5", *rig, 30, both);
  EXPECT_GT(energy_mape(evaluation, "flops"), 5 * energy_mape(evaluation, "ampere"));
}

TEST(Evaluate, BaselinesGetTheSecondsOfTheProfileAndNoTestNetwork) {
  LawRig rig(additive_law);
  EvaluationOptions both = only("ampere");
  both.methods = {"ampere", "flops", "neuralpower"};
  const Evaluation evaluation = run("cnn5", rig, 5, both);
  ASSERT_EQ(evaluation.methods.size(), 3u);
  const Seconds given = evaluation.methods[0].seconds;
  EXPECT_EQ(evaluation.profile_seconds, given);
  for (const MethodRecord& method : evaluation.methods) {
    EXPECT_GE(method.seconds, given) << method.name;
    EXPECT_LE(method.seconds - given, Seconds(1.5)) << method.name;
  }
  const EvaluationTask task = family_task("cnn5", 40, 1);
  for (const Model& test : task.tests)
    for (const Model& seen : task.training) EXPECT_NE(model_hash(test), model_hash(seen));
}

TEST(Evaluate, ANetworkThatFailsIsListedWithItsReason) {
  const std::string bad = family_task("cnn5", 5, 1).tests[2].name();
  LawRig rig([&](const Model& model) {
    if (model.name() == bad) throw Error(ErrorCode::failed, "out of memory");
    return additive_law(model);
  });
  const Evaluation evaluation = run("cnn5", rig, 5);
  EXPECT_EQ(evaluation.networks[2].failure, "out of memory");
  EXPECT_EQ(score(evaluation).methods.at("ampere").compared, 4);
  EXPECT_LT(energy_mape(evaluation), 0.1);
}

TEST(Evaluate, EstimatesAreStoredBeforeTheFirstMeasurement) {
  const auto store = open_store("memory:");
  const EvaluationTask task = family_task("cnn5", 3, 1);
  bool measuring = false;
  std::string stored;
  LawRig rig([&](const Model& model) {
    if (!measuring && model.name() == task.tests[0].name()) {
      measuring = true;
      stored = store->documents(1).at(0).text;
    }
    return additive_law(model);
  });
  testing_support::evaluate(task, only("ampere"), rig, *store);
  const Evaluation before = parse_evaluation(stored, "stored");
  ASSERT_EQ(before.networks.size(), 3u);
  EXPECT_TRUE(before.networks[0].estimates.at("ampere").energy_j.has_value());
}

TEST(Evaluate, GoesOnWhereItStopped) {
  const auto store = open_store("memory:");
  const EvaluationTask task = family_task("cnn5", 4, 1);
  int left = -1;  // measurements until it breaks down
  LawRig rig([&](const Model& model) {
    if (model.name().starts_with("cnn5:") && left-- == 0)
      throw Error(ErrorCode::no_meter, "unplugged");
    return additive_law(model);
  });
  left = 5;
  EXPECT_THROW(testing_support::evaluate(task, only("ampere"), rig, *store), Error);
  left = -1;
  const int before = rig.measured;
  const Evaluation whole = testing_support::evaluate(task, only("ampere"), rig, *store);
  EXPECT_EQ(rig.measured - before, 2 * 4 - 5);
  for (const EvaluatedNetwork& network : whole.networks) EXPECT_EQ(network.measurements.size(), 2u);
}

TEST(Evaluate, AMethodWithoutEvidenceIsLeftOutAndSaid) {
  LawRig rig([](const Model& model) {
    if (model.name() == "conv") throw Error(ErrorCode::unknown, "not in the recording");
    return additive_law(model);
  });
  EvaluationOptions both = only("ampere");
  both.methods.push_back("neuralpower");
  testing_support::Watcher watcher;
  const Evaluation evaluation = run("cnn5", rig, 3, both, &watcher);
  EXPECT_EQ(evaluation.methods.size(), 1u);
  ASSERT_FALSE(watcher.warnings.empty());
  EXPECT_THAT(watcher.warnings.back(), HasSubstr("neuralpower is left out: not in the recording"));
}

class Resampling : public testing::Test {
 protected:
  Resampling() {
    std::filesystem::remove(path_);
    const auto rig = make_recording_rig(open_rig("sim:xavier"), path_);
    recorded_ = run("cnn5", *rig, 6, wishes(20));
  }
  ~Resampling() override { std::filesystem::remove(path_); }

  static EvaluationOptions wishes(int points) {
    EvaluationOptions options = only("ampere");
    options.methods.push_back("flops");
    options.profile.points = points;
    return options;
  }

  const std::string path_ = testing::TempDir() +
                            testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".jsonl.gz";
  Evaluation recorded_;
};

TEST_F(Resampling, TheSameQuestionsGetTheSameAnswers) {
  const Evaluation again = run("cnn5", *open_rig("recorded:" + path_), 6, wishes(20));
  EXPECT_EQ(to_csv(again), to_csv(recorded_));
}

TEST_F(Resampling, FewerPointsAreAnsweredFromWhatWasRecorded) {
  EvaluationOptions fewer = wishes(9);
  fewer.resample = true;
  const Evaluation evaluation = run("cnn5", *open_rig("recorded:" + path_), 6, fewer);
  EXPECT_LT(evaluation.methods.at(0).points, recorded_.methods.at(0).points);
  EXPECT_EQ(score(evaluation).methods.at("ampere").compared, 6);
  EXPECT_LT(score(evaluation).methods.at("flops").energy->mape, 1);
}

TEST_F(Resampling, NetworksThatWereNotRecordedAreLeftOutAndSaid) {
  EvaluationOptions more = wishes(20);
  more.resample = true;
  testing_support::Watcher watcher;
  const Evaluation evaluation = run("cnn5", *open_rig("recorded:" + path_), 10, more, &watcher);
  EXPECT_EQ(evaluation.networks.size(), 6u);
  ASSERT_FALSE(watcher.warnings.empty());
  EXPECT_THAT(watcher.warnings.front(), HasSubstr("6 of 10 networks"));
}

TEST(Evaluation, ReadsBackAsItWasWritten) {
  LawRig rig(additive_law);
  const Evaluation evaluation = run("lenet5", rig, 3);
  EXPECT_EQ(to_text(parse_evaluation(to_text(evaluation), "text")), to_text(evaluation));
  EXPECT_THROW(parse_evaluation("{}", "text"), Error);
}

TEST(Evaluation, HasOneCsvRowANetwork) {
  LawRig rig(additive_law);
  const std::string csv = to_csv(run("lenet5", rig, 3));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
  EXPECT_THAT(csv, HasSubstr("ampere_j,ampere_low_j,ampere_high_j,ampere_s"));
}

TEST(ModelsTask, TestsWhatIsGivenAndTrainsOnNarrowerVersions) {
  const EvaluationTask task = models_task("mine", {open_model("cnn5"), open_model("lenet5")}, 1);
  EXPECT_EQ(task.tests.size(), 2u);
  EXPECT_GT(task.training.size(), 100u);
}

}  // namespace
}  // namespace ampere
