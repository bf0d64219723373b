// What a change costs, through the real program: intervals of differences, limits, git revisions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kOnH200 = " --device h200 --batch 64 --store sqlite:none.db ";

double half_width(const Json& interval) {
  return (interval.at("high").get<double>() - interval.at("low").get<double>()) / 2;
}

// 90 % of a normal distribution.
double reach_of(const Json& side) {
  return 1.6449 * side.at("energy_j_per_iteration").at("stddev").get<double>();
}

const Json& energy_of(const Json& diff) {
  return diff.at("difference").at("energy_j_per_iteration");
}

int count_of(const Json& parts, const std::string& change) {
  int count = 0;
  for (const Json& part : parts) count += part.at("change") == change ? 1 : 0;
  return count;
}

// A profile of cnn5 on a simulated device, by both methods.
class DiffCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    for (const char* method : {"dual --timings 150 --networks 14", "ampere --points 6"}) {
      const Ran ran = cli_->run(std::string("profile cnn5 --rig sim:server --store sqlite:s.db ") +
                                "--method " + method);
      ASSERT_EQ(ran.status, 0) << ran.err;
    }
  }
  static void TearDownTestSuite() { delete cli_; }

  static Json diff(const std::string& words) {
    const Ran ran = cli_->run("diff " + words + " --json --store sqlite:s.db");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.status == 0 ? ran.json() : Json();
  }

  static Cli* cli_;
};
Cli* DiffCommand::cli_ = nullptr;

TEST_F(DiffCommand, OfEqualNetworksIsNothingForCertain) {
  for (const std::string words :
       {"cnn5 cnn5 --method dual", "cnn5 cnn5 --method ampere", "cnn5 cnn5 --device h200"}) {
    const Json json = diff(words);
    EXPECT_EQ(energy_of(json).at("mean"), 0) << words;
    EXPECT_NEAR(half_width(energy_of(json)), 0, 1e-9 * reach_of(json.at("before"))) << words;
    EXPECT_EQ(count_of(json.at("parts"), "same"), static_cast<int>(json.at("parts").size()));
  }
}

// One layer wider: most errors are shared.
TEST_F(DiffCommand, IntervalIsNarrowerThanTheDifferenceOfIntervals) {
  for (const std::string method : {" --method dual", " --method ampere", " --device h200"}) {
    const Json json = diff("cnn5:16,32,64,128 cnn5:16,32,64,120" + method);
    const double both = reach_of(json.at("before")) + reach_of(json.at("after"));
    EXPECT_GT(half_width(energy_of(json)), 0) << method;
    EXPECT_LT(half_width(energy_of(json)), 0.7 * both) << method;
    // Unlike networks share less, and still something.
    const Json far = diff("cnn5:4,30,20,128 cnn5:16,8,64,20" + method);
    EXPECT_LT(half_width(energy_of(far)), reach_of(far.at("before")) + reach_of(far.at("after")))
        << method;
  }
}

TEST_F(DiffCommand, AgreesWithTheEstimatesOfBoth) {
  const Json json = diff("cnn5:8,16,32,64 cnn5:16,16,32,64 --method dual");
  const auto estimated = [&](const std::string& model) {
    return cli_->run("estimate " + model + " --method dual --json --store sqlite:s.db")
        .json()
        .at("energy_j_per_iteration")
        .at("mean")
        .get<double>();
  };
  const double before = estimated("cnn5:8,16,32,64"), after = estimated("cnn5:16,16,32,64");
  EXPECT_NEAR(energy_of(json).at("mean").get<double>(), after - before, 1e-9 * before);
  EXPECT_NEAR(energy_of(json).at("relative").get<double>(), after / before - 1, 1e-9);
  double moved = 0;
  for (const Json& part : json.at("parts"))
    moved += part.at("energy_j_after").get<double>() - part.at("energy_j_before").get<double>();
  EXPECT_NEAR(moved, after - before, 1e-6 * before) << "parts add up";
  EXPECT_EQ(count_of(json.at("parts"), "changed"), 2);
  EXPECT_EQ(count_of(json.at("parts"), "same"), 3);
  EXPECT_GT(json.at("difference").at("parameters").at("difference").get<double>(), 0);
  EXPECT_GT(json.at("difference").at("peak_memory_bytes").at("difference").get<double>(), 0);
}

TEST_F(DiffCommand, LimitsSetTheStatus) {
  const std::string words =
      "diff cnn5:8,16,32,64 cnn5:16,32,64,128 --method dual --store "
      "sqlite:s.db ";
  const Ran above = cli_->run(words + "--fail-above +1%");
  EXPECT_EQ(above.status, 6);
  EXPECT_THAT(above.out, HasSubstr("FAILED energy"));
  const Ran below = cli_->run(words + "--fail-above 900% --fail-above time=+900%");
  EXPECT_EQ(below.status, 0) << below.err;
  EXPECT_THAT(below.out, HasSubstr("ok time"));
  EXPECT_EQ(cli_->run(words + "--fail-above parameters=+1% --json").status, 6);
  const Ran wrong = cli_->run(words + "--fail-above energie=+5%");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'energy'"));
  EXPECT_EQ(cli_->run(words + "--fail-above 5").status, 2);
}

TEST_F(DiffCommand, PrintsMarkdownForAPullRequest) {
  const Ran ran = cli_->run(
      "diff cnn5:8,16,32,64 cnn5:9,16,32,64 --markdown --method dual "
      "--store sqlite:s.db");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("| per iteration | before | after |"));
  EXPECT_THAT(ran.out, HasSubstr("<details><summary>2 parts changed"));
  EXPECT_THAT(ran.out, HasSubstr("simulated, method dual"));
  EXPECT_EQ(cli_->run("diff cnn5 cnn5 --markdown --json --store sqlite:s.db").status, 2);
  const Ran same = cli_->run("diff cnn5 cnn5 --markdown --all --method dual --store sqlite:s.db");
  EXPECT_THAT(same.out, HasSubstr(" parts</summary>")) << "none of them changed";
  EXPECT_THAT(same.out, testing::Not(HasSubstr("changed</summary>")));
}

TEST_F(DiffCommand, SaysWhatIsNotCovered) {
  const Ran ran = cli_->run("diff cnn5 lstm --method dual --store sqlite:s.db");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("lstm is not covered"));
  EXPECT_THAT(ran.err, HasSubstr("`ampere profile MODEL`"));
  EXPECT_EQ(cli_->run("diff cnn5 nothing --store sqlite:s.db").status, 3);
  const Ran blocks = cli_->run("diff cnn5 cnn5 --operations --method dual --store sqlite:s.db");
  EXPECT_EQ(blocks.status, 2);
  EXPECT_THAT(blocks.err, HasSubstr("--method operations"));
}

TEST(DiffOfPrograms, ListsOperationsThatWereAddedRemovedAndChanged) {
  const Cli cli;
  const Ran ran = cli.run(std::string("diff resnet18 resnet34 --json") + kOnH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("method"), "operations");
  EXPECT_GT(count_of(json.at("parts"), "added"), 10);
  EXPECT_GT(count_of(json.at("operations"), "added"), 0);
  double moved = 0;
  for (const Json& row : json.at("operations"))
    moved += row.at("energy_j_after").get<double>() - row.at("energy_j_before").get<double>();
  EXPECT_NEAR(moved, energy_of(json).at("mean").get<double>(),
              1e-6 * energy_of(json).at("mean").get<double>());
  const Ran table = cli.run(std::string("diff resnet18 resnet34 --operations") + kOnH200);
  EXPECT_THAT(table.out, HasSubstr("convolution"));
}

TEST(DiffOfPrograms, ComparesATracedIterationWithANetwork) {
  const Cli cli;
  ASSERT_EQ(cli.run("trace cnn5 --batch 64 --rig sim:server -o a.program").status, 0);
  const Ran ran = cli.run("diff a.program cnn5 --json" + std::string(kOnH200));
  EXPECT_EQ(ran.status, 2) << "a traced iteration has its own setup";
  const Ran both = cli.run("diff a.program a.program --device h200 --json --store sqlite:none.db");
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(energy_of(both.json()).at("mean"), 0);
}

TEST(DiffOfPrograms, RefusesNetworksWithNothingInCommon) {
  const Cli cli;
  const std::string words = std::string("diff lstm resnet18") + kOnH200;
  const Ran ran = cli.run(words);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("nothing in common"));
  EXPECT_THAT(ran.err, HasSubstr("`ampere estimate lstm resnet18 --device h200`"));
  const Ran forced = cli.run(words + " --unrelated");
  EXPECT_THAT(forced.out, HasSubstr("an iteration waits for its host, and the parts share"));
  EXPECT_EQ(forced.status, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("no part in common"));
}

// A repository with two commits of net.json and a branch.
class DiffOfRevisions : public testing::Test {
 protected:
  void SetUp() override {
    cli_.environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
    const Ran made = cli_.shell(R"(set -e
      git init -q -b main r && cd r
      git config user.name n && git config user.email e@example.org
      mkdir nets
      ampere show cnn5 --json > nets/net.json && git add . && git commit -q -m one
      ampere show cnn5:8,16,32,64 --json > nets/net.json && git commit -q -a -m two
      git branch older HEAD~1)");
    ASSERT_EQ(made.status, 0) << made.err;
  }

  Ran in(const std::string& folder, const std::string& words) const {
    return cli_.shell("cd " + folder + " && ampere diff " + words + kOnH200);
  }

  Cli cli_;
};

TEST_F(DiffOfRevisions, ComparesAFileWithItsPast) {
  const Ran ran = in("r", "older:nets/net.json nets/net.json --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("before").at("name"), "older:nets/net.json");
  EXPECT_LT(energy_of(ran.json()).at("mean").get<double>(), 0);
  EXPECT_EQ(in("r/nets", "HEAD~1:./net.json HEAD:./net.json").status, 0);
  EXPECT_EQ(cli_.shell("cd r && git status --porcelain").out, "");
}

TEST_F(DiffOfRevisions, SaysWhatIsMissingAndHowToGetIt) {
  const Ran unknown = in("r", "feature:nets/net.json nets/net.json");
  EXPECT_EQ(unknown.status, 3);
  EXPECT_THAT(unknown.err, HasSubstr("no revision feature, and no remote to fetch it from"));
  const Ran absent = in("r", "HEAD:nets/other.json nets/net.json");
  EXPECT_EQ(absent.status, 3);
  EXPECT_THAT(absent.err, HasSubstr("HEAD has no file nets/other.json"));
  EXPECT_THAT(absent.err, HasSubstr("`git ls-tree -r --name-only HEAD`"));
  const Ran option = in("r", "'--exec=x:nets/net.json' nets/net.json");
  EXPECT_EQ(option.status, 2);
  const Ran outside = in(".", "HEAD:nets/net.json r/nets/net.json");
  EXPECT_EQ(outside.status, 2);
  EXPECT_THAT(outside.err, HasSubstr("no git repository"));
}

// docs/diff.md: pairs of networks that were measured on a real GPU.
TEST(RecordedDifferences, LieInTheirIntervals) {
  const Cli cli;
  const Ran ran = cli.run(
      "evaluate cnn5 --batch 128 --networks 40 --seed 11 --points 6 --measure-error 0.03 "
      "--point-seconds 1.4 --timings 400 --profile-networks 18 --baseline-limit 25 --method dual "
      "--json --store sqlite:s.db --rig recorded:" AMPERE_DATA "/h200_cnn5_batch128.jsonl.gz");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json networks = ran.json().at("networks");
  int inside = 0, pairs = 0;
  for (std::size_t i = 0; i + 1 < networks.size(); ++i) {
    const auto measured = [&](const Json& network) {
      const Json& both = network.at("measured_j_per_iteration");
      return (both.at(0).get<double>() + both.at(1).get<double>()) / 2;
    };
    const Json &a = networks[i], &b = networks[i + 1];
    const Ran compared = cli.run("diff " + a.at("model").get<std::string>() + " " +
                                 b.at("model").get<std::string>() +
                                 " --batch 128 --method dual --json --store sqlite:s.db");
    ASSERT_EQ(compared.status, 0) << compared.err;
    const Json json = compared.json();
    const double truth = measured(b) - measured(a);
    inside += energy_of(json).at("low").get<double>() <= truth &&
              truth <= energy_of(json).at("high").get<double>();
    ++pairs;
    EXPECT_LT(half_width(energy_of(json)),
              0.8 * (reach_of(json.at("before")) + reach_of(json.at("after"))));
  }
  EXPECT_EQ(pairs, 39);
  EXPECT_GE(inside, 33);
}

// A small general profile of a simulated device, whose operations are then timed again.
class DiffAtHand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    const Ran ran = cli_->run(
        "profile --general --operations 300 --programs 6 --rig sim:server --store sqlite:g.db");
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  static void TearDownTestSuite() { delete cli_; }
  static Ran diff(const std::string& words) {
    return cli_->run(
        "diff lenet5 lenet5:6,16,120,60 --batch 8 --method operations --store "
        "sqlite:g.db " +
        words);
  }

  static Cli* cli_;
};
Cli* DiffAtHand::cli_ = nullptr;

TEST_F(DiffAtHand, TimesTheOperationsOfBoth) {
  const Ran alone = diff("--json");
  ASSERT_EQ(alone.status, 0) << alone.err;
  EXPECT_TRUE(alone.json().at("timed_operations").is_null());
  const Ran refined = diff("--refine --rig sim:server --json");
  ASSERT_EQ(refined.status, 0) << refined.err;
  EXPECT_GT(refined.json().at("timed_operations").get<int>(), 10);
  EXPECT_NE(energy_of(refined.json()).at("mean"), energy_of(alone.json()).at("mean"));
  const Json seen = refined.json().at("at_hand");
  EXPECT_EQ(seen.at("timed_operations"), refined.json().at("timed_operations"));
  EXPECT_GT(seen.at("measured_operations").get<int>(), 5);
  EXPECT_EQ(seen.at("host_looks"), 4);
  EXPECT_GT(seen.at("host_slowdown").get<double>(), 0.5);
  EXPECT_TRUE(seen.at("before_measured").get<bool>());
  EXPECT_TRUE(alone.json().at("at_hand").is_null());
  EXPECT_TRUE(alone.json().at("checked").is_null());
  EXPECT_THAT(diff("--refine --rig sim:server").out,
              testing::AllOf(HasSubstr("operations timed on this device, the energy of "),
                             HasSubstr("the first of both measured, host ")));
}

TEST_F(DiffAtHand, BothAreTrainedInTurnsAndCompared) {
  const Ran checked = diff("--check --rounds 4 --rig sim:server --json");
  ASSERT_EQ(checked.status, 0) << checked.err;
  const Json check = checked.json().at("checked");
  EXPECT_EQ(check.at("source"), "simulated");
  for (const char* side : {"before", "after"})
    EXPECT_EQ(check.at(side).at("energy_j_per_iteration").at("rounds").size(), 4u);
  const Json energy = check.at("difference").at("energy_j_per_iteration");
  EXPECT_LT(energy.at("low"), energy.at("mean"));
  EXPECT_LT(energy.at("mean"), energy.at("high"));
  EXPECT_NEAR(energy.at("mean").get<double>(),
              check.at("after").at("energy_j_per_iteration").at("mean").get<double>() -
                  check.at("before").at("energy_j_per_iteration").at("mean").get<double>(),
              1e-12);
  EXPECT_THAT(diff("--check --rig sim:server").out, HasSubstr("trained in 3 rounds, simulated"));
  EXPECT_THAT(diff("--check --rig sim:server --markdown").out,
              HasSubstr("What both took, measured in turns:"));
}

TEST_F(DiffAtHand, WhatCannotBeTrainedOrComparedIsRefused) {
  EXPECT_EQ(diff("--check --rounds 1 --rig sim:server").status, 2);
  const Ran rounds = diff("--rounds 4");
  EXPECT_EQ(rounds.status, 2) << "nothing would use it";
  EXPECT_THAT(rounds.err, HasSubstr("--check"));
  ASSERT_EQ(cli_->run("trace lenet5 --rig sim:server -o l.program").status, 0);
  const Ran traced =
      cli_->run("diff l.program lenet5 --check --rig sim:server --store sqlite:g.db");
  EXPECT_EQ(traced.status, 2);
  EXPECT_THAT(traced.err, HasSubstr("l.program: is one traced iteration, which nothing can be"));
  const Ran arguments = diff("--arg-after width=3");
  EXPECT_EQ(arguments.status, 2);
  EXPECT_THAT(arguments.err, HasSubstr("is no script that takes arguments; leave width=3 out"));
}

TEST_F(DiffAtHand, NeedsTheDeviceOfTheProfile) {
  const Ran other = diff("--refine --rig sim:xavier --profile 1");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("and the rig is simulated Jetson Xavier"));
  const Ran checked = diff("--check --rig sim:xavier --profile 1");
  EXPECT_EQ(checked.status, 2) << "nothing of another device is compared";
  EXPECT_THAT(checked.err, HasSubstr("and the rig is simulated Jetson Xavier"));
  const Ran blocks = cli_->run("diff lenet5 lenet5 --method dual --refine --rig sim:server");
  EXPECT_EQ(blocks.status, 2);
  EXPECT_THAT(blocks.err, HasSubstr("--refine is for the method operations"));
}

}  // namespace
}  // namespace ampere
