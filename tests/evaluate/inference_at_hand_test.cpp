// At inference: estimates made just before a measurement, for the host as the reference last saw
// it, and comparisons at the speed that the host had during the survey.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/evaluating.h"
#include "support/hosted_rig.h"
#include "support/surveying.h"

namespace ampere {
namespace {

using testing_support::HostedRig;

// A simulated GPU that was surveyed while its host was at rest.
class HostOfInference : public testing::Test {
 protected:
  void survey() {
    SurveyOptions options;
    options.configurations = 80;
    testing_support::survey(std::vector{open_model("squeezenet")}, options,
                            {rig_, *store_, inference_setup()});
  }

  // From now on the host is slower by 30 %, and by 15 % more or less within a few minutes.
  void let_the_host_drift() {
    rig_.slowdown = [since = rig_.now](double now) {
      return 1.3 + 0.15 * std::sin(2 * std::numbers::pi * (now - since) / 200);
    };
  }

  Evaluation evaluate(std::vector<std::string> methods = {"kernels"}) {
    EvaluationOptions options;
    options.methods = std::move(methods);
    options.baseline_limit = Seconds(5);
    return testing_support::evaluate(task_, options, rig_, *store_, inference_setup());
  }

  const EvaluationTask task_ = variants_task("squeezenet", 8, 1);
  HostedRig rig_;
  std::unique_ptr<Store> store_ = open_store("memory:");
};

TEST_F(HostOfInference, IsAccountedForByEstimatesAtHand) {
  survey();
  let_the_host_drift();
  const Evaluation evaluation = evaluate();
  const Scores scores = score(evaluation);
  const MethodScore& kernels = scores.methods.at("kernels");
  ASSERT_TRUE(kernels.at_hand && kernels.at_hand_time && kernels.steady && scores.host_drift);
  EXPECT_GT(kernels.energy->mape, 0.12) << "the survey knew another host";
  EXPECT_LT(kernels.at_hand->mape, 0.5 * kernels.energy->mape);
  EXPECT_LT(kernels.at_hand_time->mape, 0.5 * kernels.time->mape);
  EXPECT_LT(kernels.steady->mape, 0.3 * kernels.energy->mape);
  EXPECT_NEAR(*scores.host_drift, 0.3, 0.1);
  EXPECT_LT(scores.steady_repeat_noise.value(), scores.energy_repeat_noise.value());
  RecordProperty("alone", std::to_string(kernels.energy->mape));
  RecordProperty("at_hand", std::to_string(kernels.at_hand->mape));
  RecordProperty("steady", std::to_string(kernels.steady->mape));
}

TEST_F(HostOfInference, ThatKeepsItsSpeedChangesNothing) {
  survey();
  const Evaluation evaluation = evaluate();
  const Scores scores = score(evaluation);
  EXPECT_NEAR(scores.host_drift.value(), 0, 1e-9);
  for (const EvaluatedNetwork& network : evaluation.networks)
    for (const auto& at_hand : network.at_hand)
      EXPECT_NEAR(
          at_hand.value().energy_j->mean / network.estimates.at("kernels").energy_j.value().mean, 1,
          1e-9);
}

TEST_F(HostOfInference, IsOnlyLookedAtByMethodsFromKernels) {
  survey();
  for (const EvaluatedNetwork& network : evaluate({"flops"}).networks) {
    ASSERT_EQ(network.at_hand.size(), 2u);
    EXPECT_FALSE(network.at_hand[0] || network.at_hand[1]);
  }
}

TEST_F(HostOfInference, IsNotAskedForWhereTheSurveyHasNoPace) {
  rig_.shows_host = false;
  survey();
  rig_.shows_host = true;
  let_the_host_drift();
  const Scores scores = score(evaluate());
  EXPECT_FALSE(scores.methods.at("kernels").at_hand);
  EXPECT_FALSE(scores.methods.at("kernels").steady);
  EXPECT_FALSE(scores.host_drift);
  EXPECT_TRUE(rig_.paced.empty());
}

TEST_F(HostOfInference, IsTheSameForAllFamiliesOfOneSurvey) {
  survey();
  let_the_host_drift();
  const std::vector<Evaluation> both{evaluate(), evaluate({"kernels", "flops"})};
  EXPECT_TRUE(pool(both).steady);
  EXPECT_TRUE(score(pool(both)).methods.at("kernels").steady);
}

}  // namespace
}  // namespace ampere
