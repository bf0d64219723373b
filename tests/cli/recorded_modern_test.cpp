// Networks that people train today on an NVIDIA H200, PyTorch 2.11, from recordings. The figures
// are those of docs/results/h200-modern.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "suite_scores.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;
using testing_support::scores_of_suite;

constexpr const char* kAtHand = "operations, device at hand, family unknown";
constexpr const char* kAlone = "operations, profile alone, family unknown";

class RecordedModern : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    // Taken just before the suite, on the same machine, and resting on the one that ships as well;
    // and the latter, of another day.
    profile("own", "--operations 5000 ", "h200_general_modern");
    profile("shipped", "", "h200_general_tf32");
  }
  static void TearDownTestSuite() { delete cli_; }

  static void profile(const std::string& store, const std::string& options,
                      const std::string& recording) {
    const Ran ran = cli_->run("profile --general " + options + "--store sqlite:" + store +
                              ".db --rig recorded:" AMPERE_DATA "/" + recording + ".jsonl.gz");
    ASSERT_EQ(ran.status, 0) << ran.err;
  }

  // By name.
  static std::map<std::string, Json> scores_of(const std::string& suite, const std::string& store) {
    return scores_of_suite(*cli_, suite, "h200_modern", store + ".db");
  }

  static Cli* cli_;
};
Cli* RecordedModern::cli_ = nullptr;

double mape(const Json& score) { return score.at("energy_mape").get<double>(); }
double p90(const Json& score) { return score.at("energy_p90").get<double>(); }

TEST_F(RecordedModern, IsEstimatedByAProfileTakenJustBefore) {
  const auto scores = scores_of("modern", "own");
  EXPECT_EQ(scores.at(kAtHand).at("steps"), 78);
  EXPECT_LT(mape(scores.at(kAtHand)), 0.053);
  EXPECT_LT(p90(scores.at(kAtHand)), 0.101);
  EXPECT_GE(scores.at(kAtHand).at("energy_coverage").get<double>(), 0.87);
  EXPECT_LT(mape(scores.at(kAlone)), 0.072);
  EXPECT_LT(p90(scores.at(kAlone)), 0.122);
  EXPECT_GE(scores.at(kAlone).at("energy_coverage").get<double>(), 0.94);
}

TEST_F(RecordedModern, IsCloserByTheProfileThatShips) {
  const auto scores = scores_of("modern", "shipped");
  EXPECT_LT(mape(scores.at(kAtHand)), 0.05);
  EXPECT_LT(p90(scores.at(kAtHand)), 0.102);
  EXPECT_GE(scores.at(kAtHand).at("energy_coverage").get<double>(), 0.88);
  EXPECT_LT(mape(scores.at(kAlone)), 0.067);
  EXPECT_LT(p90(scores.at(kAlone)), 0.138);
  EXPECT_GE(scores.at(kAlone).at("energy_coverage").get<double>(), 0.9);
  EXPECT_NEAR(mape(scores.at("FLOPs and a constant")), 0.472, 0.005);
  EXPECT_NEAR(mape(scores.at("FLOPs, bytes and operations")), 0.296, 0.005);
  EXPECT_NEAR(mape(scores.at("roofline and operations")), 0.201, 0.005);
  EXPECT_NEAR(mape(scores.at("roofline of the data sheet at its power")), 0.464, 0.005);
  EXPECT_NEAR(mape(scores.at("power of the data sheet, measured time")), 0.599, 0.005);
}

TEST_F(RecordedModern, CompiledStepsAreLookedAt) {
  const auto scores = scores_of("compiled", "own");
  EXPECT_EQ(scores.at(kAtHand).at("steps"), 5) << "the time on the device ended";
  EXPECT_LT(mape(scores.at(kAtHand)), 0.065);
  EXPECT_LT(p90(scores.at(kAtHand)), 0.1);
  EXPECT_LT(mape(scores_of("compiled", "shipped").at(kAtHand)), 0.068);
}

TEST_F(RecordedModern, OtherSettingsAndSmallChangesAreEstimatedToo) {
  const auto settings = scores_of("settings", "own"), changes = scores_of("changes", "own");
  EXPECT_EQ(settings.at(kAtHand).at("steps"), 16);
  EXPECT_LT(mape(settings.at(kAtHand)), 0.044);
  EXPECT_EQ(changes.at(kAtHand).at("steps"), 13);
  EXPECT_LT(mape(changes.at(kAtHand)), 0.063);
}

// Estimated before they were measured by the profile that ships, on its machine.
TEST_F(RecordedModern, ProductsInTf32AreEstimated) {
  const auto scores = scores_of_suite(*cli_, "tf32", "h200_tf32", "shipped.db");
  EXPECT_EQ(scores.at(kAtHand).at("steps"), 8);
  EXPECT_LT(mape(scores.at(kAtHand)), 0.047);
  EXPECT_LT(p90(scores.at(kAtHand)), 0.062);
  EXPECT_LT(mape(scores.at(kAlone)), 0.048);
  EXPECT_GE(scores.at(kAlone).at("energy_coverage").get<double>(), 0.9);
}

}  // namespace
}  // namespace ampere
