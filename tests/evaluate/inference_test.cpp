#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "support/evaluating.h"
#include "support/law_rig.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::LawRig;

// Energy in proportion to what one forward pass computes.
double forward_law(const Model& model) {
  return 1e-9 * static_cast<double>(count(model, 1).forward_flops);
}

Evaluation run(const std::string& family, Rig& rig, Store& store,
               const std::vector<std::string>& methods) {
  EvaluationOptions options;
  options.methods = methods;
  options.profile.points = 12;
  options.baseline_limit = Seconds(5);
  return testing_support::evaluate(variants_task(family, 3, 1), options, rig, store,
                                   inference_setup());
}

TEST(VariantsTask, TestsAndTrainsOnDifferentVariants) {
  const EvaluationTask task = variants_task("alexnet", 4, 1);
  EXPECT_EQ(task.tests.size(), 4u);
  EXPECT_EQ(task.originals.size(), 4u);
  EXPECT_GT(task.training.size(), 40u);
  for (const Model& test : task.tests) {
    EXPECT_NE(model_hash(test), model_hash(open_model("alexnet")));
    for (const Model& seen : task.training) EXPECT_NE(model_hash(test), model_hash(seen));
  }
  EXPECT_EQ(model_hash(variants_task("alexnet", 2, 1).tests[1]), model_hash(task.tests[1]));
}

TEST(InferenceEvaluation, FlopsAreThoseOfAForwardPass) {
  LawRig rig(forward_law);
  const auto store = open_store("memory:");
  const Evaluation evaluation = run("alexnet", rig, *store, {"flops"});
  EXPECT_LT(score(evaluation).methods.at("flops").energy.value().mape, 1e-6);
  EXPECT_EQ(evaluation.methods.at(0).seconds, Seconds(5));
}

TEST(InferenceEvaluation, BlocksAddUpWithoutTraining) {
  LawRig rig([](const Model& model) { return 0.01 + forward_law(model); });
  const auto store = open_store("memory:");
  const Evaluation evaluation = run("alexnet", rig, *store, {"ampere"});
  EXPECT_EQ(evaluation.setup.phase, Phase::inference);
  EXPECT_FALSE(evaluation.steady);
  EXPECT_LT(score(evaluation).methods.at("ampere").energy.value().mape, 0.05);
}

TEST(InferenceEvaluation, WithoutASurveyMeasuresNothing) {
  LawRig rig(forward_law);
  const auto store = open_store("memory:");
  try {
    run("alexnet", rig, *store, {"ampere", "kernels"});
    FAIL() << "evaluated";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_EQ(error.remedy(), Remedy::survey);
    EXPECT_EQ(error.about(), "test") << "the rig";
  }
  EXPECT_EQ(rig.measured, 0);
}

TEST(Pool, ScoresAllNetworksTogether) {
  LawRig rig([](const Model& model) { return 0.01 + forward_law(model); });
  const auto store = open_store("memory:");
  const std::vector<Evaluation> both{run("alexnet", rig, *store, {"ampere", "flops"}),
                                     run("squeezenet", rig, *store, {"ampere", "flops"})};
  const Evaluation all = pool(both);
  EXPECT_EQ(all.family, "all 2 families");
  ASSERT_EQ(all.networks.size(), 6u);
  const auto mape = [](const Evaluation& evaluation) {
    return score(evaluation).methods.at("flops").energy.value().mape;
  };
  EXPECT_NEAR(mape(all), (mape(both[0]) + mape(both[1])) / 2, 1e-12);
  EXPECT_EQ(score(all).methods.at("ampere").compared, 6);
}

}  // namespace
}  // namespace ampere
