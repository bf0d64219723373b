// The accuracy we publish for a real GPU, from its recording: every window was measured on an
// NVIDIA H200 through ampere-runner and NVML. The replay must reach the published figures again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

constexpr double kPoint = 0.01;  // one percentage point

class RecordedGpu : public testing::Test {
 protected:
  Ran run(const std::string& verb) const {
    return cli_.run(verb + " --points 15 --json --store sqlite:s.db --rig recorded:" AMPERE_DATA
                           "/h200_lenet5_cnn5_batch10.jsonl.gz");
  }

  Json evaluate(const std::string& family) const {
    const Ran ran = run("evaluate " + family + " --networks 30");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json();
  }

  void SetUp() override {
    const Ran ran = run("profile lenet5 cnn5");
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.json().at("source"), "measured");
    EXPECT_EQ(ran.json().at("measured"), 104);
  }

  const Cli cli_;
};

TEST_F(RecordedGpu, TheFaithfulMethodIsAsGoodAsPublished) {
  const Json cnn5 = evaluate("cnn5"), lenet5 = evaluate("lenet5");
  EXPECT_NEAR(cnn5.at("methods").at("ampere").at("mape").get<double>(), 0.123, kPoint);
  EXPECT_NEAR(lenet5.at("methods").at("ampere").at("mape").get<double>(), 0.094, kPoint);
  EXPECT_NEAR(cnn5.at("repeat_noise").at("mape").get<double>(), 0.103, kPoint);
  EXPECT_EQ(cnn5.at("networks").size(), 30u);
}

TEST_F(RecordedGpu, EstimatesSayWhoseTheyAreAndThatTheyWereMeasured) {
  const Json json = cli_.run("estimate cnn5 --store sqlite:s.db --json").json();
  EXPECT_THAT(json.at("device").at("name").get<std::string>(), HasSubstr("H200"));
  EXPECT_EQ(json.at("source"), "measured");
  EXPECT_EQ(json.at("method"), "ampere");
  const double joules = json.at("energy_j_per_iteration").at("mean"),
               seconds = json.at("time_s_per_iteration").at("mean");
  EXPECT_GT(joules / seconds, 80) << "watts of this GPU when it idles";
  EXPECT_LT(joules / seconds, 700) << "its power limit";
}

TEST_F(RecordedGpu, HasNoTimingsForTheDualMethod) {
  const Ran profiled = run("profile cnn5 --method dual");
  EXPECT_EQ(profiled.status, 2);
  EXPECT_THAT(profiled.err, HasSubstr("--method ampere"));
  EXPECT_EQ(run("profile cnn5 --method dual --dry-run").err, profiled.err);
  const Ran estimated = cli_.run("estimate cnn5 --method dual --store sqlite:s.db");
  EXPECT_EQ(estimated.status, 3);
  EXPECT_THAT(estimated.err, HasSubstr("ampere profile MODEL --method dual"));
}

// docs/results: all methods on cnn5, each fitted baseline with the seconds the profile took.
TEST(RecordedCampaign, EveryMethodIsAsGoodAsPublished) {
  const Cli cli;
  const Ran ran = cli.run(
      "evaluate cnn5 --points 9 --networks 40 --json --store memory: --rig recorded:" AMPERE_DATA
      "/h200_cnn5_batch10_methods.jsonl.gz");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json evaluation = ran.json();
  const std::map<std::string, double> published{
      {"ampere", 0.186}, {"flops", 0.448},  {"flops+constant", 0.106}, {"flops+layers", 0.106},
      {"params", 0.399}, {"layers", 0.105}, {"activations", 0.236},    {"neuralpower", 0.145}};
  EXPECT_EQ(evaluation.at("methods").size(), published.size());
  EXPECT_THAT(ran.err, HasSubstr("method dual is left out")) << "nothing was timed then";
  for (const auto& [method, mape] : published)
    EXPECT_NEAR(evaluation.at("methods").at(method).at("mape").get<double>(), mape, kPoint)
        << method;
  EXPECT_NEAR(evaluation.at("repeat_noise").at("mape").get<double>(), 0.069, kPoint);
  EXPECT_EQ(evaluation.at("networks").size(), 40u);
}

TEST(RecordedCampaign, AnswersWhatFewerPointsWouldHaveGiven) {
  const Cli cli;
  const Ran ran = cli.run(
      "evaluate cnn5 --points 5 --networks 40 --resample --json --store memory: "
      "--rig recorded:" AMPERE_DATA "/h200_cnn5_batch10_methods.jsonl.gz");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_LT(ran.json().at("methods").at("ampere").at("points").get<int>(), 42);
}

}  // namespace
}  // namespace ampere
