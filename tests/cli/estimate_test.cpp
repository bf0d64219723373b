#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

// One profile of lenet5 on the ideal simulated device serves all of these.
class EstimateCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    const Ran ran = cli_->run("profile lenet5 --rig sim:ideal --store sqlite:s.db --json");
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.json().at("source"), "simulated");
    EXPECT_EQ(ran.json().at("failed"), 0);
  }
  static void TearDownTestSuite() { delete cli_; }

  static Ran estimate(const std::string& arguments, const std::string& input = "") {
    return cli_->run("estimate --store sqlite:s.db " + arguments, input);
  }

  static Cli* cli_;
};
Cli* EstimateCommand::cli_ = nullptr;

TEST_F(EstimateCommand, HasTheDocumentedKeys) {
  const Json json = estimate("lenet5 --iterations 2000 --json").json();
  EXPECT_EQ(json.at("model"), "lenet5");
  EXPECT_EQ(json.at("batch"), 10);
  EXPECT_EQ(json.at("iterations"), 2000);
  EXPECT_EQ(json.at("method"), "dual");
  EXPECT_EQ(json.at("mode"), "training");
  EXPECT_EQ(json.at("source"), "simulated");
  EXPECT_EQ(json.at("device").at("fingerprint").get<std::string>().size(), 16u);
  for (const char* key : {"mean", "stddev", "low", "high", "confidence"}) {
    EXPECT_TRUE(json.at("energy_j").at(key).is_number()) << key;
    EXPECT_TRUE(json.at("time_s").at(key).is_number()) << key;
  }
  EXPECT_TRUE(json.at("uncovered").empty());
  EXPECT_TRUE(json.at("warnings").empty());
  EXPECT_TRUE(json.at("advice").is_array());
}

TEST_F(EstimateCommand, PartsAddUpToTheWhole) {
  const Json json = estimate("lenet5 --iterations 7 --json").json();
  double energy = 0;
  for (const Json& part : json.at("parts"))
    energy += part.at("energy_j_per_iteration").at("mean").get<double>();
  EXPECT_NEAR(energy, json.at("energy_j_per_iteration").at("mean").get<double>(), 1e-12);
  EXPECT_NEAR(7 * energy, json.at("energy_j").at("mean").get<double>(), 1e-12);
}

TEST_F(EstimateCommand, EpochsAreBatchesOfSamples) {
  EXPECT_EQ(estimate("lenet5 --epochs 3 --samples 101 --json").json().at("iterations"), 33);
}

TEST_F(EstimateCommand, JoulesBecomeChargeCarbonAndMoney) {
  const Json json =
      estimate("lenet5 --iterations 1000000 --battery 1000mAh@3.6V --carbon 400 --price 0.3 --json")
          .json();
  const double joules = json.at("energy_j").at("mean");
  EXPECT_NEAR(json.at("battery_share").at("mean").get<double>(), joules / (3.6 * 3600), 1e-9);
  EXPECT_NEAR(json.at("carbon_g").at("mean").get<double>(), joules / 3.6e6 * 400, 1e-9);
  EXPECT_NEAR(json.at("price").at("mean").get<double>(), joules / 3.6e6 * 0.3, 1e-9);
  EXPECT_THAT(estimate("lenet5 --battery 50Wh --carbon 400 --price 0.3").out,
              testing::AllOf(HasSubstr("battery "), HasSubstr("carbon "), HasSubstr("price ")));
}

TEST_F(EstimateCommand, AnotherNetworksUnknownPartsAreListedAndNoSumIsGiven) {
  const Ran ran = estimate("cnn5 --json");
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(ran.json().at("energy_j").is_null());
  EXPECT_TRUE(ran.json().at("time_s").is_null());
  EXPECT_FALSE(ran.json().at("uncovered").empty());
  EXPECT_EQ(ran.json().at("source"), "simulated");
  EXPECT_THAT(ran.err, HasSubstr("ampere profile"));
}

// The parts that are known were printed as 0 J, and their shares as -nan %.
TEST_F(EstimateCommand, PartsOfAnUncoveredNetworkHaveNoCost) {
  Json model = Json::parse(cli_->run("show lenet5 --json").out);
  for (Json& layer : model.at("layers"))
    if (layer.at("op") == "conv") layer["kernel"] = {3, 3};
  cli_->write("other.json", model.dump());
  const Json json = estimate("other.json --json").json();
  ASSERT_FALSE(json.at("uncovered").empty());
  ASSERT_FALSE(json.at("parts").empty());
  for (const Json& part : json.at("parts")) {
    EXPECT_TRUE(part.at("energy_j_per_iteration").is_null()) << part;
    EXPECT_TRUE(part.at("time_s_per_iteration").is_null()) << part;
  }
  EXPECT_THAT(estimate("other.json").out,
              testing::AllOf(HasSubstr("–"), testing::Not(HasSubstr("nan")),
                             testing::Not(HasSubstr("0 J"))));
}

TEST_F(EstimateCommand, AnotherBatchIsAnotherProfile) {
  const Ran ran = estimate("lenet5 --batch 11");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("batch 10"));
}

TEST_F(EstimateCommand, ThousandsOfModelsStreamThrough) {
  std::string input = R"({"model": "lenet5:1,2,3,4"})"
                      "\n\n";
  for (int i = 1; i <= 1500; ++i)
    input += "lenet5:" + std::to_string(i % 6 + 1) + ",16,120," + std::to_string(i % 84 + 1) + "\n";
  const Ran ran = estimate("- --json", input);
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  int answers = 0;
  for (std::string line; std::getline(lines, line); ++answers)
    EXPECT_GT(Json::parse(line).at("energy_j").at("mean").get<double>(), 0);
  EXPECT_EQ(answers, 1501);
}

TEST_F(EstimateCommand, AWholeModelFileMayBeALine) {
  const std::string file = Json::parse(cli_->run("show lenet5:2,4,8,16 --json").out).dump();
  const Json from_file = estimate("--json", file + "\n").json(),
             from_name = estimate("lenet5:2,4,8,16 --json").json();
  EXPECT_EQ(from_file.at("energy_j"), from_name.at("energy_j"));
}

TEST_F(EstimateCommand, EveryLineIsAnsweredAndBadOnesGetTheirError) {
  const std::string lines = "lenet5\nlenet9\n{\"model\": \nlenet5:1,2,3,4\n";
  const Ran ran = estimate("--json", lines);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("2 of 4 lines"));
  std::vector<Json> answers;
  std::istringstream out(ran.out);
  for (std::string line; std::getline(out, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_TRUE(answers[0].contains("energy_j") && answers[3].contains("energy_j"));
  EXPECT_EQ(answers[1].at("line"), 2);
  EXPECT_EQ(answers[1].at("error").at("code"), "unknown");
  EXPECT_THAT(answers[1].at("error").at("message").get<std::string>(), HasSubstr("lenet5"));
  EXPECT_EQ(answers[2].at("error").at("code"), "usage");
  const Ran text = estimate("-", lines);
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.err, testing::AllOf(HasSubstr("line 2: "), HasSubstr("line 3: ")));
}

// An answer that cannot be written is none.
TEST_F(EstimateCommand, LostOutputIsAFailure) {
  for (const char* command : {"estimate lenet5 --store sqlite:s.db --json", "models", "show lenet5",
                              "profiles --store sqlite:s.db", "estimate --help", "--version"}) {
    const Ran ran = cli_->shell("$AMPERE " + std::string(command) + " > /dev/full");
    EXPECT_EQ(ran.status, 1) << command;
    EXPECT_THAT(ran.err, HasSubstr("No space left")) << command;
  }
}

TEST_F(EstimateCommand, CheckTrainsForRealAndCompares) {
  const Ran ran = estimate("lenet5 --check --rig sim:ideal --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json checked = ran.json().at("checked");
  EXPECT_LT(
      std::abs(checked.at("energy_j_per_iteration").at("relative_error_of_estimate").get<double>()),
      0.05);
  EXPECT_THAT(estimate("lenet5 --check --rig sim:ideal").out, HasSubstr("trained on the device"));
}

TEST_F(EstimateCommand, AutoProfilesWhatIsMissingAndNothingElse) {
  const Ran first = cli_->run("estimate har --auto --rig sim:ideal --store sqlite:auto.db --json");
  ASSERT_EQ(first.status, 0) << first.err;
  const std::string profiles = cli_->run("profiles --store sqlite:auto.db --json").out;
  const Ran second = cli_->run("estimate har --auto --rig sim:ideal --store sqlite:auto.db --json");
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(Json::parse(cli_->run("profiles --store sqlite:auto.db --json").out).at("points"),
            Json::parse(profiles).at("points"));
}

TEST_F(EstimateCommand, AutoProfilesForTheAskedMethod) {
  for (const std::string method : {"dual", "ampere", "flops+layers"}) {
    const Ran ran =
        cli_->run("estimate har --auto --rig sim:ideal --store memory: --json --method " + method);
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.json().at("method"), method);
  }
}

TEST_F(EstimateCommand, NeverLoadsTheFramework) {
  const Ran ran = cli_->shell("ldd \"$AMPERE\"");
  ASSERT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("torch")));
}

}  // namespace
}  // namespace ampere
