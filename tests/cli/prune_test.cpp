// Pruning to a budget on simulated devices: the promise is about what is measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

const std::string kStore = " --store sqlite:s.db";
const std::string kXavier = " --rig sim:xavier" + kStore;

double share_of(const Json& pruned) { return pruned.at("share_of_original").get<double>(); }

double accepted_j(const Json& json) {
  return json.at("pruned").at("found_at_j_per_iteration").get<double>();
}

// One profile for all tests: pruning adds measurements to it, and each test may.
class Prune : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = std::make_unique<Cli>();
    const Ran ran = cli_->run("profile cnn5" + kXavier);
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  static void TearDownTestSuite() { cli_.reset(); }

  static Ran run(const std::string& options) {
    return cli_->run("prune cnn5 --json --networks 3000 " + options + kXavier);
  }
  static Json pruned(const std::string& options) {
    const Ran ran = run(options);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json();
  }

  static std::unique_ptr<Cli> cli_;
};
std::unique_ptr<Cli> Prune::cli_;

TEST_F(Prune, ByEstimateAloneHasNoColumnForWhatWasRun) {
  const std::string options = "prune cnn5 --networks 3000 --budget 60%" + kXavier;
  EXPECT_THAT(cli_->run(options).out, ContainsRegex("at most +simulated +of original"));
  const Ran ran = cli_->run(options + " --estimate-only");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("at most +of original"));
}

class PruneBy : public Prune, public testing::WithParamInterface<const char*> {};

TEST_P(PruneBy, WhatIsMeasuredStaysInsideTheBudgetAndCloseToIt) {
  for (const int seed : {1, 2, 3}) {
    const Json json = pruned(std::string("--budget 50% --search ") + GetParam() + " --seed " +
                             std::to_string(seed));
    const Json& network = json.at("pruned");
    EXPECT_LE(accepted_j(json), json.at("budget_j_per_iteration").get<double>()) << json.dump();
    EXPECT_LE(share_of(network), 0.51) << json.dump();
    EXPECT_GE(share_of(network), 0.47) << json.dump();
    EXPECT_LE(network.at("estimated_j_per_iteration").at("upper").get<double>(),
              json.at("budget_j_per_iteration").get<double>() * (1 + 1e-9));
    EXPECT_LT(network.at("parameters"), json.at("original").at("parameters"));
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, PruneBy, testing::Values("random", "greedy", "evolutionary"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(Prune, ByFlopsAloneBreaksThePromise) {
  const Json json = pruned("--budget 50% --method flops --no-verify");
  EXPECT_GT(share_of(json.at("pruned")), 0.55) << "half the FLOPs are not half the energy";
}

TEST_F(Prune, VerifyingKeepsThePromiseEvenByFlops) {
  const Json json = pruned("--budget 50% --method flops");
  EXPECT_LE(accepted_j(json), json.at("budget_j_per_iteration").get<double>());
  EXPECT_LE(share_of(json.at("pruned")), 0.51);
  EXPECT_GT(share_of(json.at("first_found")), 0.55) << "half the FLOPs are not half the energy";
}

TEST_F(Prune, BudgetsMayBeJoulesOfAnIterationOfATrainingOrOfABattery) {
  const double original =
      pruned("--budget 90%").at("original").at("measured_j_per_iteration").get<double>();
  EXPECT_NEAR(pruned("--budget 25mJ").at("budget_j_per_iteration").get<double>(), 0.025, 1e-12);
  EXPECT_NEAR(
      pruned("--budget '50J total' --iterations 2000").at("budget_j_per_iteration").get<double>(),
      0.025, 1e-12);
  EXPECT_NEAR(pruned("--budget 1%battery --battery 1Wh --iterations 1440")
                  .at("budget_j_per_iteration")
                  .get<double>(),
              0.025, 1e-12);
  EXPECT_GT(original, 0.025);
}

TEST_F(Prune, WidthsKeepToWhatIsAsked) {
  const Json widths =
      pruned("--budget 60% --align 4 --min-width 8 --leave conv2,conv4").at("pruned").at("widths");
  EXPECT_EQ(widths.at("conv2"), 32);
  EXPECT_EQ(widths.at("conv4"), 128);
  EXPECT_GE(widths.at("conv1").get<int>(), 8);
  for (const auto& [name, width] : widths.items()) EXPECT_EQ(width.get<int>() % 4, 0) << name;
}

TEST_F(Prune, TheResultIsAModelThatCanBeUsed) {
  const Json json = pruned("--budget 50% --output-folder result");
  const Json shown = cli_->run("show result/pruned.json --json").json();
  EXPECT_EQ(shown.at("parameters"), json.at("pruned").at("parameters"));
  const Ran estimate = cli_->run("estimate result/pruned.json --json" + kStore);
  ASSERT_EQ(estimate.status, 0) << estimate.err;
  EXPECT_NEAR(estimate.json().at("energy_j").at("mean").get<double>() /
                  json.at("budget_j_per_iteration").get<double>(),
              1, 0.1);
}

TEST_F(Prune, ABudgetBelowTheFloorIsRefusedWithTheFloorAndItsCause) {
  const Ran ran = run("--budget 5%");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("the cheapest"));
  EXPECT_THAT(ran.err, HasSubstr("waiting for the host"));
}

TEST_F(Prune, MeasuredNetworksBecomePartOfTheProfile) {
  const auto points = [&] {
    return cli_->run("profiles --json" + kStore).json().at("points").get<int>();
  };
  const int before = points();
  const int rounds = pruned("--budget 70%").at("rounds");
  EXPECT_EQ(points(), before + 2 + rounds)
      << "the original, a network each round, and the accepted one once more";
  pruned("--budget 70% --estimate-only");
  EXPECT_EQ(points(), before + 2 + rounds) << "the device was left alone";
}

TEST_F(Prune, SeveralFinalistsAreAllInside) {
  const Json json = pruned("--budget 50% --finalists 3");
  EXPECT_EQ(json.at("others").size(), 2u);
  for (const Json& other : json.at("others")) EXPECT_LE(share_of(other), 0.5);
}

TEST_F(Prune, AParetoTableHasABudgetARow) {
  const Ran ran = cli_->run("prune cnn5 --budget 40% --pareto 3 --networks 1000" + kXavier);
  ASSERT_EQ(ran.status, 0) << ran.err;
  for (const char* budget : {"40 %", "60 %", "80 %"}) EXPECT_THAT(ran.out, HasSubstr(budget));
}

struct Refused {
  const char* options;
  int status;
  const char* says;
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.options; }

class BadPruning : public Prune, public testing::WithParamInterface<Refused> {};

TEST_P(BadPruning, IsRefusedWithWhatIsWrong) {
  const Ran ran = cli_->run(std::string("prune ") + GetParam().options + kXavier);
  EXPECT_EQ(ran.status, GetParam().status) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().says));
  EXPECT_EQ(ran.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadPruning,
    testing::Values(
        Refused{"cnn5", 2, "--budget"}, Refused{"cnn5 --budget 0", 2, "'0'"},
        Refused{"cnn5 --budget 0%", 2, "0%"}, Refused{"cnn5 --budget 150%", 2, "150%"},
        Refused{"cnn5 --budget -- -3J", 2, ""}, Refused{"cnn5 --budget 3furlongs", 2, "3furlongs"},
        Refused{"cnn5 --budget nan%", 2, "nan%"}, Refused{"cnn5 --budget ''", 2, "budget"},
        Refused{"cnn5 --budget '3J total'", 2, "iterations"},
        Refused{"cnn5 --budget 3%battery --iterations 5", 2, "battery"},
        Refused{"cnn5 --budget 50% --confidence 1.5", 2, "confidence"},
        Refused{"cnn5 --budget 50% --confidence 0", 2, "confidence"},
        Refused{"cnn5 --budget 50% --method params", 2, "dual, ampere and flops can"},
        Refused{"cnn5 --budget 50% --search clever", 2, "clever"},
        Refused{"cnn5 --budget 50% --leave conv9", 2, "conv9"},
        Refused{"cnn5 --budget 50% --leave conv1,conv2,conv3,conv4", 2, "prune"},
        Refused{"cnn5 --budget 50% --min-width many", 2, "--min-width"},
        Refused{"cnn5 --budget 50% --align 0", 2, "align"},
        Refused{"cnn5 --budget 50% --networks 0", 2, "--networks: 0 is not between 1 and"},
        Refused{"cnn5 --budget 50% --draws 0", 2, "--networks: 0 is not between 1 and"},
        Refused{"cnn5 --budget 50% --finalists 0", 2, "--finalists"},
        Refused{"cnn5 --budget 2J --pareto 3", 2, "--pareto"},
        Refused{"cnn5 --budget 50% --data x", 2, "--out"},
        Refused{"cnn5 --budget 50% --data x --output-folder o", 2, "cannot train on data"},
        Refused{"cnn5 --budget 50% --data x --output-folder o --ranking best", 2, "best"},
        Refused{"cnn5 --budget 50% --data x --output-folder o --stop-at 5%", 2, "--stop-at"},
        Refused{"cnn5 --budget 50% --data x --output-folder o --epochs 0", 2, "--epochs"},
        Refused{"cnn5 --budget 50% --data x --output-folder o --learning-rate 0", 2, "--learning"},
        Refused{"cnn5 --budget 50% --weights w.onnx", 2, "--data"},
        Refused{"cnn5 --budget 50% --auto --estimate-only", 2, "--estimate-only"},
        Refused{"nothing --budget 50%", 3, "nothing"},
        Refused{"resnet18 --budget 50%", 3, "profile"},
        Refused{"cnn5 --batch 7 --budget 50%", 3, "batch 7"}));

TEST_F(Prune, WithoutAProfileItSaysHowToMakeOne) {
  const Cli elsewhere;
  const Ran ran = elsewhere.run("prune cnn5 --budget 50% --estimate-only" + kStore);
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("`ampere profile cnn5 --batch 10`"));
}

TEST_F(Prune, TheDeviceMustBeTheProfilesOwn) {
  const Ran ran = cli_->run("prune cnn5 --budget 50% --profile 1 --rig sim:tx2" + kStore);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_THAT(ran.err, testing::AllOf(HasSubstr("Xavier"), HasSubstr("TX2")));
}

TEST_F(Prune, TheSameCommandGivesTheSameNetwork) {
  const auto widths = [&] {
    return pruned("--budget 55% --estimate-only").at("pruned").at("widths");
  };
  EXPECT_EQ(widths(), widths());
}

}  // namespace
}  // namespace ampere
