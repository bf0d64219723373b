// Estimates of inference against measurements, by the real program on a simulated phone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::Cli;
using testing_support::Ran;

std::vector<Json> inference_lines(const std::string& text) {
  std::vector<Json> lines;
  for (const std::string& line : split(text, '\n'))
    if (!line.empty()) lines.push_back(Json::parse(line));
  return lines;
}

// One small survey and one evaluation serve all that only look.
class InferenceEvaluation : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    const Ran survey = cli_->run(
        "kernels measure alexnet squeezenet --configurations 120 --rig sim:oppo --record "
        "survey.jsonl --store sqlite:s.db");
    ASSERT_EQ(survey.status, 0) << survey.err;
    std::filesystem::copy_file(cli_->path("s.db"), cli_->path("survey.db"));
    ran_ = cli_->run(evaluate("sim:oppo", "s.db") + " --record r.jsonl.gz --output-folder o");
    ASSERT_EQ(ran_.status, 0) << ran_.err;
  }
  static void TearDownTestSuite() { delete cli_; }

  static std::string evaluate(const std::string& rig, const std::string& store) {
    return "evaluate alexnet squeezenet --mode inference --networks 3 --points 12 "
           "--baseline-limit 20 --json --rig " +
           rig + " --store sqlite:" + store;
  }

  static Cli* cli_;
  static Ran ran_;
};
Cli* InferenceEvaluation::cli_ = nullptr;
Ran InferenceEvaluation::ran_;

TEST_F(InferenceEvaluation, ComparesItsMethodsFamilyByFamily) {
  const std::vector<Json> lines = inference_lines(ran_.out);
  ASSERT_EQ(lines.size(), 3u);
  for (const std::size_t i : {0u, 1u}) {
    const Json& json = lines[i];
    EXPECT_EQ(json.at("mode"), "inference");
    EXPECT_EQ(json.at("batch"), 1);
    EXPECT_EQ(json.at("setup").at("phase"), "inference");
    EXPECT_TRUE(json.at("host_drift").is_null());
    for (const char* method :
         {"kernels", "kernels-forest", "ampere", "flops", "flops+constant", "flops+layers"}) {
      EXPECT_EQ(json.at("methods").at(method).at("compared"), 3) << method;
      EXPECT_GT(json.at("methods").at(method).at("points").get<int>(), 0) << method;
    }
    EXPECT_LT(json.at("methods").at("kernels").at("mape").get<double>(), 0.2);
    EXPECT_LT(json.at("methods").at("ampere").at("mape").get<double>(), 0.2);
    EXPECT_LT(json.at("repeat_noise").at("mape").get<double>(), 0.1);
    EXPECT_EQ(json.at("networks").size(), 3u);
  }
}

TEST_F(InferenceEvaluation, SumsUpOverAllNetworks) {
  const std::vector<Json> lines = inference_lines(ran_.out);
  const Json& all = lines.at(2);
  EXPECT_EQ(all.at("family"), "all 2 families");
  EXPECT_FALSE(all.contains("networks"));
  for (const char* method : {"kernels", "flops"}) {
    const auto mape = [&](const Json& json) {
      return json.at("methods").at(method).at("mape").get<double>();
    };
    EXPECT_NEAR(mape(all), (mape(lines[0]) + mape(lines[1])) / 2, 1e-12);
    EXPECT_EQ(all.at("methods").at(method).at("compared"), 6);
  }
  EXPECT_EQ(Json::parse(cli_->read("o/summary_inference.json")), all);
}

TEST_F(InferenceEvaluation, WritesWhatItPrints) {
  EXPECT_EQ(Json::parse(cli_->read("o/alexnet_inference.json")), inference_lines(ran_.out)[0]);
  const std::string csv = cli_->read("o/squeezenet_inference.csv");
  EXPECT_THAT(csv, StartsWith("family,batch,device,model,"));
  EXPECT_THAT(csv, HasSubstr(",forward_flops,"));
  EXPECT_THAT(csv, HasSubstr(",kernels_j,kernels_low_j,kernels_high_j,kernels_s,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
}

TEST_F(InferenceEvaluation, AskedAgainMeasuresNothing) {
  EXPECT_EQ(cli_->run(evaluate("sim:oppo", "s.db")).out, ran_.out);
}

TEST_F(InferenceEvaluation, ARecordingRepeatsItOnTheSameSurvey) {
  const Ran again = cli_->run(evaluate("recorded:r.jsonl.gz", "survey.db"));
  ASSERT_EQ(again.status, 0) << again.err;
  const std::vector<Json> first = inference_lines(ran_.out), second = inference_lines(again.out);
  ASSERT_EQ(second.size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(second[i].at("methods"), first[i].at("methods"));
  EXPECT_EQ(second[0].at("networks"), first[0].at("networks"));
}

TEST_F(InferenceEvaluation, EndsWithTheAccuracyThatTheSourceReports) {
  const Ran ran = cli_->run(
      "evaluate alexnet --mode inference --networks 3 --points 12 --baseline-limit 20 --rig "
      "sim:oppo --store sqlite:s.db");
  EXPECT_THAT(ran.out, HasSubstr("energy of one inference"));
  EXPECT_THAT(ran.out, Not(HasSubstr("steady host"))) << "nobody looked at a host";
  EXPECT_THAT(ran.out, HasSubstr("accuracy (1 - MAPE) over 3 networks: kernels "));
}

TEST(InferenceEvaluate, WithoutASurveySaysHowToMakeOne) {
  const Cli cli;
  const Ran ran =
      cli.run("evaluate alexnet --mode inference --rig sim:oppo --networks 2 --store memory:");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("(`ampere kernels measure --rig sim:oppo`)"));
}

TEST(InferenceEvaluate, RefusesWhatIsNoInference) {
  const Cli cli;
  const auto refusal = [&](const std::string& arguments) {
    const Ran ran = cli.run("evaluate alexnet --rig sim:oppo --store memory: " + arguments);
    EXPECT_EQ(ran.status, 2) << arguments;
    return ran.err;
  };
  EXPECT_THAT(refusal("--mode inferrence"), HasSubstr("inferrence not in {training,inference}"));
  EXPECT_THAT(refusal("--mode inference --batch 10"), HasSubstr("one sample at a time"));
  EXPECT_THAT(refusal("--mode inference --method dual"),
              HasSubstr("no method of inference is called 'dual'"));
  EXPECT_THAT(refusal("--method kernels"), HasSubstr("no method is called 'kernels'"));
}

}  // namespace
}  // namespace ampere
