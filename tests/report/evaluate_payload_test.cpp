#include <gtest/gtest.h>

#include "base/json.h"
#include "report/known.h"
#include "report/report.h"
#include "support/evaluating.h"

namespace ampere {
namespace {

using testing_support::kHead;
using testing_support::Known;

class EvaluationReport : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Known known;
    EvaluationOptions options;
    options.methods = {"ampere", "flops"};
    options.seed = 3;
    options.profile.points = 4;
    evaluation_ =
        testing_support::evaluate(family_task("cnn5", 5, 3), options, *known.rig, *known.store);
    const std::vector<ReportItem> stored = stored_evaluations(*known.store);
    ASSERT_EQ(stored.size(), 1u);
    payload_ = Json::parse(evaluate_payload(kHead, stored));
  }
  static const Json& shown() { return payload_.at("content").at("evaluations").at(0); }

  static Evaluation evaluation_;
  static Json payload_;
};
Evaluation EvaluationReport::evaluation_;
Json EvaluationReport::payload_;

TEST_F(EvaluationReport, ScoresAreTheLibrarys) {
  const Scores scores = score(evaluation_);
  for (const char* method : {"ampere", "flops"}) {
    const Json& of = shown().at("methods").at(method);
    EXPECT_EQ(of.at("mape").get<double>(), scores.methods.at(method).energy->mape) << method;
    EXPECT_EQ(of.at("coverage_90").get<double>(),
              scores.methods.at(method).energy->coverage.value())
        << method;
  }
  EXPECT_EQ(shown().at("repeat_noise").at("mape").get<double>(),
            scores.energy_repeat_noise.value());
  EXPECT_EQ(shown().at("confidence"), kEvaluationConfidence);
}

TEST_F(EvaluationReport, EveryNetworkHasWhatThePicturesNeed) {
  ASSERT_EQ(shown().at("networks").size(), evaluation_.networks.size());
  for (std::size_t i = 0; i < evaluation_.networks.size(); ++i) {
    const EvaluatedNetwork& network = evaluation_.networks[i];
    const Json& drawn = shown().at("networks")[i];
    const Counts counts = count(network.model, 10);
    EXPECT_EQ(drawn.at("model"), network.model.name());
    EXPECT_EQ(drawn.at("measured_j_per_iteration")[1].get<double>(),
              network.measurements[1].energy_j.mean);
    EXPECT_EQ(drawn.at("estimates").at("ampere").at("mean").get<double>(),
              network.estimates.at("ampere").energy_j->mean);
    EXPECT_EQ(drawn.at("training_flops"), counts.training_flops);
    EXPECT_EQ(drawn.at("parameters"), counts.parameters);
    EXPECT_EQ(drawn.at("blocks"), parse_blocks(network.model).size());
  }
}

TEST_F(EvaluationReport, SaysWhereItIsFrom) {
  EXPECT_EQ(payload_.at("report"), "evaluate");
  EXPECT_EQ(shown().at("profile"), "1");
  EXPECT_TRUE(shown().at("name").get<std::string>().starts_with("evaluation cnn5: 5 networks"));
}

TEST(EstimateReport, HoldsEstimatesAndWhatIfsInOneOrder) {
  const Json estimate{
      {"model", "</script>"}, {"batch", 10}, {"device", {{"name", "D"}}}, {"parts", Json::array()}};
  const std::vector<ReportItem> items{{"m", "4", estimate.dump()}};
  const std::vector<std::string> what_ifs{R"({"reason": "none"})"};
  const Json content = Json::parse(estimate_payload(kHead, items, what_ifs)).at("content");
  EXPECT_EQ(content.at("estimates")[0].at("model"), "</script>");
  EXPECT_EQ(content.at("estimates")[0].at("profile"), "4");
  EXPECT_EQ(content.at("what_if")[0].at("reason"), "none");
}

}  // namespace
}  // namespace ampere
