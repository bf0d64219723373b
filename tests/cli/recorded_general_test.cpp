// The general profile of a real GPU and what it is worth, from recordings: an NVIDIA H200, PyTorch
// 2.11. The figures are those of docs/results/h200-operations.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "suite_scores.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;
using testing_support::scores_of_suite;

class RecordedGeneralProfile : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    profiled_ = cli_->run("profile --general --json --store sqlite:s.db --rig recorded:" AMPERE_DATA
                          "/h200_general_tf32.jsonl.gz");
    ASSERT_EQ(profiled_.status, 0) << profiled_.err;
  }
  static void TearDownTestSuite() { delete cli_; }

  // Of the suite, replayed into a copy of the store, by name.
  static std::map<std::string, Json> scores_of(const std::string& recording) {
    const Ran ran = cli_->run("store copy sqlite:s.db sqlite:" + recording + ".db");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return scores_of_suite(*cli_, "unseen", recording, recording + ".db");
  }

  static Cli* cli_;
  static Ran profiled_;
};
Cli* RecordedGeneralProfile::cli_ = nullptr;
Ran RecordedGeneralProfile::profiled_;

TEST_F(RecordedGeneralProfile, IsMadeOfTenThousandOperationsAndFourteenPrograms) {
  const Json json = profiled_.json();
  EXPECT_EQ(json.at("method"), "operations");
  EXPECT_EQ(json.at("timed"), 10405);
  EXPECT_EQ(json.at("measured"), 14);
  EXPECT_EQ(json.at("failed"), 0);
  EXPECT_LT(json.at("cross_validated").at("energy_mape").get<double>(), 0.11);
}

TEST_F(RecordedGeneralProfile, IsNotMeasuredAgain) {
  const Ran again =
      cli_->run("profile --general --json --store sqlite:s.db --rig recorded:" AMPERE_DATA
                "/h200_general_tf32.jsonl.gz");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json().at("timed"), 0);
  EXPECT_EQ(again.json().at("measured"), 0);
}

TEST_F(RecordedGeneralProfile, EstimatesStepsOfFamiliesThatItHasNotSeen) {
  const std::map<std::string, Json> scores = scores_of("h200_unseen");
  const Json& at_hand = scores.at("operations, device at hand, family unknown");
  const Json& alone = scores.at("operations, profile alone, family unknown");
  EXPECT_EQ(at_hand.at("steps"), 82);
  EXPECT_LT(at_hand.at("energy_mape").get<double>(), 0.05);
  EXPECT_LT(at_hand.at("energy_p90").get<double>(), 0.1);
  EXPECT_NEAR(at_hand.at("energy_coverage").get<double>(), 0.902, 0.02);
  EXPECT_LT(alone.at("energy_mape").get<double>(), 0.07);
  EXPECT_LT(alone.at("energy_p90").get<double>(), 0.15);
  EXPECT_GE(alone.at("energy_coverage").get<double>(), 0.9);
  for (const char* baseline :
       {"FLOPs and a constant", "FLOPs, bytes and operations", "roofline and operations"})
    EXPECT_GT(scores.at(baseline).at("energy_mape").get<double>(), 0.2) << baseline;
  const Json& sheet = scores.at("roofline of the data sheet at its power");
  EXPECT_EQ(sheet.at("steps"), 82);
  EXPECT_NEAR(sheet.at("energy_mape").get<double>(), 0.543, 0.005);
  EXPECT_NEAR(sheet.at("time_mape").get<double>(), 0.702, 0.005);
  EXPECT_NEAR(scores.at("power of the data sheet, measured time").at("energy_mape").get<double>(),
              1.231, 0.005);
}

TEST_F(RecordedGeneralProfile, EstimatesStepsOnAFasterHost) {
  const std::map<std::string, Json> scores = scores_of("h200_unseen_same_host");
  const Json& at_hand = scores.at("operations, device at hand, family unknown");
  const Json& alone = scores.at("operations, profile alone, family unknown");
  EXPECT_EQ(at_hand.at("steps"), 52);
  EXPECT_LT(at_hand.at("energy_mape").get<double>(), 0.057);
  EXPECT_NEAR(at_hand.at("energy_coverage").get<double>(), 0.865, 0.02);
  EXPECT_LT(alone.at("energy_mape").get<double>(), 0.1);
  EXPECT_GE(alone.at("energy_coverage").get<double>(), 0.9);
}

TEST_F(RecordedGeneralProfile, IsTheOneThatShips) {
  const std::string asked = "estimate resnet50:size=224 --batch 64 --precision bf16 --json ";
  const Ran own = cli_->run(asked + "--store sqlite:s.db");
  const Ran shipped = cli_->run(asked + "--device h200 --store sqlite:none.db");
  ASSERT_EQ(own.status, 0) << own.err;
  ASSERT_EQ(shipped.status, 0) << shipped.err;
  EXPECT_TRUE(shipped.json().at("profiled").at("shipped").get<bool>());
  // The one that ships was fitted on another processor, whose logarithms may round differently.
  const double mean = own.json().at("energy_j").at("mean").get<double>();
  EXPECT_NEAR(shipped.json().at("energy_j").at("mean").get<double>(), mean, 1e-9 * mean);
  for (const char* end : {"low", "high"})
    EXPECT_NEAR(shipped.json().at("energy_j").at(end).get<double>(),
                own.json().at("energy_j").at(end).get<double>(), 1e-6 * mean)
        << end;
}

// Other units than those of full numbers compute products in TF32.
TEST(ShippedProfile, KnowsTf32) {
  const Cli cli;
  const auto joules = [&](const std::string& precision) {
    const Ran ran = cli.run(
        "estimate transformer:d=512 --batch 64 --json --device h200 --store sqlite:s.db "
        "--precision " +
        precision);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json().at("energy_j").at("mean").get<double>();
  };
  const double full = joules("fp32"), tf32 = joules("tf32"), half = joules("bf16");
  EXPECT_LT(tf32, 0.8 * full);
  EXPECT_GT(tf32, half);
}

// What is wrong with a suite is said with the file and the entry, before anything is opened.
TEST(Suites, ThatAreBrokenAreNamed) {
  const Cli cli;
  const auto said = [&](const std::string& text) {
    cli.write("s.toml", text);
    const Ran ran = cli.run("evaluate --suite s.toml --rig sim:server --store sqlite:s.db");
    EXPECT_EQ(ran.status, 2) << text;
    return ran.err;
  };
  EXPECT_THAT(said(""), HasSubstr("s.toml: there are no steps"));
  EXPECT_THAT(said("[[steps]]\n"), HasSubstr("s.toml: step 1: script is missing"));
  EXPECT_THAT(said("[[steps]\n"), HasSubstr("s.toml:1:"));
  EXPECT_THAT(said("[[networks]]\n"), HasSubstr("networks is not known"));
  EXPECT_THAT(said("[[steps]]\nscript = \"train.txt\"\n"), HasSubstr("is not a FILE.py:FUNCTION"));
  EXPECT_THAT(said("[[steps]]\nscript = \"a.py:b\"\nbatch = 3\n"), HasSubstr("batch is not known"));
}

}  // namespace
}  // namespace ampere
