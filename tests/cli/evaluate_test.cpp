#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::Cli;
using testing_support::Ran;

// One evaluation with every method serves those that only look.
class EvaluateCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    ran_ = run("");
    ASSERT_EQ(ran_.status, 0) << ran_.err;
  }
  static void TearDownTestSuite() { delete cli_; }

  static Ran run(const std::string& arguments) {
    return cli_->run(
        "evaluate lenet5 --networks 6 --rig sim:server --store sqlite:s.db --output-folder o "
        "--json " +
        arguments);
  }

  static Cli* cli_;
  static Ran ran_;
};
Cli* EvaluateCommand::cli_ = nullptr;
Ran EvaluateCommand::ran_;

TEST_F(EvaluateCommand, ComparesEveryMethod) {
  const Json json = ran_.json();
  EXPECT_EQ(json.at("methods").size(), 9u);
  for (const auto& [name, method] : json.at("methods").items())
    EXPECT_GE(method.at("mape").get<double>(), 0) << name;
  const Json dual = json.at("methods").at("dual");
  EXPECT_EQ(dual.at("compared"), 6);
  EXPECT_LT(dual.at("mape").get<double>(), 0.15);
  EXPECT_GE(dual.at("points").get<int>(), 630);
  EXPECT_GT(dual.at("seconds").get<double>(), 0);
  const Json network = json.at("networks")[0];
  for (const char* key : {"mean", "low", "high"})
    EXPECT_GT(network.at("estimates").at("dual").at(key).get<double>(), 0) << key;
}

TEST_F(EvaluateCommand, WritesWhatItPrints) {
  EXPECT_EQ(Json::parse(cli_->read("o/lenet5_batch10.json")), ran_.json());
  const std::string csv = cli_->read("o/lenet5_batch10.csv");
  EXPECT_THAT(csv, StartsWith("family,batch,device,model,"));
  EXPECT_THAT(csv, HasSubstr(",dual_j,dual_low_j,dual_high_j,dual_s,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 7);
}

TEST_F(EvaluateCommand, AskedAgainMeasuresNothing) { EXPECT_EQ(run("").out, ran_.out); }

TEST_F(EvaluateCommand, OtherTimingsAreAnotherEvaluation) {
  const Ran ran = run("--method dual --timings 700");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Ran more = run("--method dual --timings 720");
  EXPECT_GT(more.json().at("methods").at("dual").at("points").get<int>(),
            ran.json().at("methods").at("dual").at("points").get<int>());
}

TEST(Evaluate, BaselinesKeepToTheirLimit) {
  const Cli cli;
  const Ran ran = cli.run(
      "evaluate lenet5 --method dual,flops --baseline-limit 5 --networks 3 --rig sim:server "
      "--store memory: --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json methods = ran.json().at("methods");
  EXPECT_LT(methods.at("flops").at("seconds").get<double>(), 15);
  EXPECT_GT(methods.at("dual").at("seconds").get<double>(), 15);
}

TEST(Evaluate, AFamilyWithOptionsKeepsThem) {
  const Cli cli;
  const Ran ran = cli.run(
      "evaluate lenet5:size=20 --networks 3 --timings 60 --profile-networks 8 --method dual --rig "
      "sim:server --store memory: --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("family"), "lenet5:size=20");
  for (const Json& network : json.at("networks")) {
    const auto name = network.at("model").get<std::string>();
    EXPECT_THAT(name, StartsWith("lenet5:size=20,"));
    EXPECT_EQ(cli.run("show " + name).status, 0) << name;
  }
}

TEST(Evaluate, NetworksOfAFile) {
  const Cli cli;
  cli.write("models.txt", "# two of mine\nlenet5:2,4,8,16\n\ncnn5:3,5,7,9\n");
  const Ran ran =
      cli.run("evaluate --models models.txt --method dual --rig sim:xavier --store memory: --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("methods").at("dual").at("compared"), 2);
}

TEST(Evaluate, ARecordingRepeatsItWithItsTimings) {
  const Cli cli;
  const std::string evaluate =
      "evaluate lenet5 --networks 4 --method dual,ampere --store memory: --json --rig ";
  const Ran live = cli.run(evaluate + "sim:server --record r.jsonl.gz");
  ASSERT_EQ(live.status, 0) << live.err;
  const Ran again = cli.run(evaluate + "recorded:r.jsonl.gz");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json().at("methods"), live.json().at("methods"));
  EXPECT_EQ(again.json().at("networks"), live.json().at("networks"));
}

TEST(Evaluate, WithoutTimingsDualIsLeftOutWithItsReason) {
  const Cli cli;
  const std::string evaluate = "evaluate lenet5 --networks 3 --store memory: --json --rig ";
  ASSERT_EQ(cli.run(evaluate + "sim:ideal --method ampere --record r.jsonl").status, 0);
  const Ran ran = cli.run(evaluate + "recorded:r.jsonl --method dual,ampere");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_FALSE(ran.json().at("methods").contains("dual"));
  EXPECT_THAT(ran.err, HasSubstr("cannot time blocks alone"));
}

// The command between backquotes that begins with `ampere `.
std::string command_in(const std::string& message) {
  const std::size_t begin = message.find("`ampere ");
  if (begin == std::string::npos) return "";
  return message.substr(begin + 8, message.find('`', begin + 1) - begin - 8);
}

TEST(Evaluate, ARecordingThatAProfileCannotUseNamesTheCommandThatCan) {
  const Cli cli;
  ASSERT_EQ(cli.run("evaluate lenet5 --networks 6 --method flops --rig sim:server --store memory: "
                    "--record r.jsonl")
                .status,
            0);
  const Ran refused = cli.run("profile lenet5 --rig recorded:r.jsonl --store memory:");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("in all it has "));
  EXPECT_EQ(command_in(refused.err),
            "evaluate lenet5 --networks 6 --method flops --rig recorded:r.jsonl");
  EXPECT_EQ(cli.run(command_in(refused.err) + " --store memory:").status, 0);

  ASSERT_EQ(cli.shell("sed 's/,\"repeat_with\":\"[^\"]*\"//' r.jsonl > old.jsonl").status, 0);
  const Ran old = cli.run("profile lenet5 --rig recorded:old.jsonl --store memory:");
  EXPECT_EQ(old.status, 3);
  EXPECT_EQ(command_in(old.err), "evaluate lenet5 --rig recorded:old.jsonl --resample");
  EXPECT_EQ(cli.run(command_in(old.err) + " --store memory:").status, 0);
}

TEST(Evaluate, ARecordingOfAProfileNamesTheProfile) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --networks 4 --timings 60 --rig sim:server --store memory: "
                    "--record r.jsonl")
                .status,
            0);
  const Ran refused = cli.run("profile cnn5 --rig recorded:r.jsonl --store memory:");
  EXPECT_EQ(refused.status, 3);
  const std::string command = command_in(refused.err);
  EXPECT_EQ(command, "profile lenet5 --networks 4 --timings 60 --rig recorded:r.jsonl");
  EXPECT_EQ(cli.run(command + " --store memory:").status, 0);
}

}  // namespace
}  // namespace ampere
