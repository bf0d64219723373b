// Estimates from a general profile: of any network, of programs and of steps of one's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/gzip.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::kTwoBlocks;
using testing_support::Ran;

// One profile of a simulated device serves all of these.
class GeneralProfiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    ASSERT_EQ(cli_->shell(AMPERE_BINARY_DIR "/simulated_general_profile general.json").status, 0);
    const Ran added = cli_->run("profiles add general.json --store sqlite:s.db");
    ASSERT_EQ(added.status, 0) << added.err;
    EXPECT_EQ(added.out, "profile 1\n");
  }
  static void TearDownTestSuite() { delete cli_; }

  static Ran run(const std::string& arguments, const std::string& input = "") {
    return cli_->run(arguments + " --store sqlite:s.db", input);
  }
  static Ran estimate(const std::string& arguments, const std::string& input = "") {
    return run("estimate " + arguments, input);
  }
  static Ran estimate_program(const std::string& arguments = "") {
    return estimate(kTwoBlocks + (" " + arguments));
  }
  static double energy_of(const Json& json) { return json.at("energy_j").at("mean").get<double>(); }

  static Cli* cli_;
};
Cli* GeneralProfiles::cli_ = nullptr;

TEST_F(GeneralProfiles, AnswerForAnyNetworkAndSetup) {
  const Ran ran = estimate("resnet18:size=64 --batch 32 --precision bf16 --optimizer adamw --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("method"), "operations");
  EXPECT_EQ(json.at("batch"), 32);
  EXPECT_EQ(json.at("profile"), "1");
  EXPECT_EQ(json.at("source"), "simulated");
  EXPECT_EQ(json.at("profiled").at("shipped"), false);
  EXPECT_GT(energy_of(json), 0);
  double groups = 0, modules = 0;
  for (const Json& group : json.at("groups"))
    groups += group.at("energy_j_per_iteration").get<double>();
  for (const Json& module : json.at("modules"))
    modules += module.at("energy_j_per_iteration").get<double>();
  EXPECT_NEAR(groups / energy_of(json), 1, 1e-9);
  EXPECT_NEAR(modules / energy_of(json), 1, 1e-9);
  EXPECT_GT(json.at("peak_memory_bytes").get<double>(), 0);
  EXPECT_THAT(json.at("limit").get<std::string>(), testing::AnyOf("host", "device", "power"));
}

TEST_F(GeneralProfiles, SetupsThatCannotBeFollowedHaveNoNumber) {
  const Ran ran = estimate("lenet5 --compile --json");
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(ran.json().at("energy_j").is_null());
  EXPECT_THAT(ran.json().at("uncovered").dump(), HasSubstr("compiled network cannot be lowered"));
  EXPECT_THAT(ran.err, HasSubstr("a general profile does not cover"));
}

TEST_F(GeneralProfiles, AreListedWithWhatTheyRestOn) {
  EXPECT_THAT(run("profiles").out,
              AllOf(HasSubstr("any setup"), HasSubstr("operations"), HasSubstr("24 windows")));
  const Json row = run("profiles --json").json();
  EXPECT_EQ(row.at("setup"), Json::parse(R"({"general": true})"));
  EXPECT_EQ(row.at("methods"), Json::array({"operations"}));
  EXPECT_EQ(row.at("points"), 24);
  EXPECT_GT(row.at("operations").get<int>(), 100);
}

TEST_F(GeneralProfiles, AreSavedAndAddedElsewhere) {
  ASSERT_EQ(run("profiles save 1 -o saved.json").status, 0);
  cli_->write("saved.json.gz", gzip(cli_->read("saved.json")));
  for (const std::string file : {"saved.json", "saved.json.gz"}) {
    ASSERT_EQ(cli_->run("profiles add " + file + " --store sqlite:away.db").status, 0);
    EXPECT_EQ(cli_->run("estimate cnn5 --json --store sqlite:away.db").json().at("energy_j"),
              estimate("cnn5 --json").json().at("energy_j"));
  }
  ASSERT_EQ(run("profiles export 1 -o exported.json").status, 0);
  ASSERT_EQ(cli_->run("profiles import exported.json --store sqlite:third.db").status, 0);
  EXPECT_EQ(cli_->run("estimate cnn5 --json --store sqlite:third.db").json().at("energy_j"),
            estimate("cnn5 --json").json().at("energy_j"));
}

TEST_F(GeneralProfiles, AnswerForAProgram) {
  const Ran ran = estimate_program("--iterations 100 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("batch"), 8);
  EXPECT_EQ(json.at("program").at("name"), "two_blocks");
  EXPECT_EQ(json.at("limit"), "host") << "it is tiny";
  EXPECT_GT(json.at("host_s_per_iteration").get<double>(),
            json.at("device_s_per_iteration").at("mean").get<double>());
  double known = 0;
  for (const auto& [source, share] : json.at("device_time_by_source").items())
    known += share.get<double>();
  EXPECT_NEAR(known, 1, 1e-9);
  EXPECT_THAT(json.at("warnings").dump(), Not(HasSubstr("wider")));
  EXPECT_NEAR(energy_of(json), 100 * energy_of(estimate_program("--json").json()), 1e-9);
  EXPECT_THAT(estimate_program().out, AllOf(HasSubstr("the host is the limit"),
                                            HasSubstr("product"), Not(HasSubstr("blocks.0.fc"))));
  EXPECT_THAT(estimate_program("--modules").out, HasSubstr("blocks.0.fc"));
}

TEST_F(GeneralProfiles, CountTheSamplesOfAProgram) {
  const Json epoch = estimate_program("--epochs 2 --samples 20 --json").json();
  EXPECT_EQ(epoch.at("iterations"), 6) << "three of eight samples for each epoch";
}

TEST_F(GeneralProfiles, NameOperationsThatWereNeverTimed) {
  std::string text = cli_->run(std::string("show --json ") + kTwoBlocks).out;
  Json program = Json::parse(text);
  for (Json& operation : program["operations"])
    if (operation.at("name") == "addmm") operation["name"] = "mylib.product";
  cli_->write("foreign.program", program.dump());
  const Json json = estimate("foreign.program --json").json();
  std::map<std::string, double> foreign;
  for (const Json& each : json.at("foreign_operations"))
    foreign[each.at("name")] = each.at("share").get<double>();
  EXPECT_GT(foreign["mylib.product"], 0);
  EXPECT_FALSE(foreign.contains("relu"));
  EXPECT_THAT(estimate("foreign.program").out,
              testing::ContainsRegex("never timed: .*mylib.product"));
}

TEST_F(GeneralProfiles, ProgramsFromElsewhereHaveWiderIntervals) {
  Json program = Json::parse(cli_->run(std::string("show --json ") + kTwoBlocks).out);
  program["origin"]["framework"] = "torch 2.4.1";
  cli_->write("older.program", program.dump());
  const Json older = estimate("older.program --json").json(),
             same = estimate_program("--json").json();
  EXPECT_THAT(older.at("warnings").dump(), HasSubstr("torch 2.4.1"));
  EXPECT_GT(older.at("energy_j").at("high"), same.at("energy_j").at("high"));
  EXPECT_EQ(older.at("energy_j").at("mean"), same.at("energy_j").at("mean"));
}

TEST_F(GeneralProfiles, ProgramsAndNetworksComeInOneStream) {
  Json program = Json::parse(cli_->run(std::string("show --json ") + kTwoBlocks).out);
  const Ran ran = estimate("- --json", std::string("cnn5\n") + kTwoBlocks + "\n{\"program\": \"" +
                                           kTwoBlocks + "\"}\n" + program.dump() +
                                           "\nnone.program\n{\"program\": 3}\nlenet5\n");
  EXPECT_EQ(ran.status, 1);
  std::istringstream lines(ran.out);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 7u);
  EXPECT_EQ(answers[0].at("model"), "cnn5");
  EXPECT_EQ(answers[1].at("energy_j"), answers[2].at("energy_j"));
  EXPECT_EQ(answers[1].at("energy_j"), answers[3].at("energy_j"));
  EXPECT_EQ(answers[3].at("model"), "two_blocks");
  EXPECT_EQ(answers[4].at("error").at("code"), "unknown");
  EXPECT_EQ(answers[5].at("error").at("code"), "usage");
  EXPECT_EQ(answers[6].at("model"), "lenet5");
}

TEST_F(GeneralProfiles, AreChosenByDevice) {
  EXPECT_EQ(estimate("cnn5 --device ACCELerator --json").json().at("energy_j"),
            estimate("cnn5 --json").json().at("energy_j"));
  const Ran none = estimate("cnn5 --device h900");
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, AllOf(HasSubstr("no profile is of a device called 'h900'"),
                              HasSubstr("simulated accelerator")));
  const Ran no_store = cli_->run("estimate cnn5 --device h900 --store sqlite:nowhere.db");
  EXPECT_EQ(no_store.status, 3);
  EXPECT_THAT(no_store.err, HasSubstr("h900"));
  const Ran both = estimate("cnn5 --device accelerator --profile 1");
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("give only one"));
}

TEST_F(GeneralProfiles, WhatAProgramHasIsNotAskedFor) {
  for (const std::string option :
       {"--batch 4", "--precision bf16", "--optimizer adam", "--compile", "--accumulate 2"}) {
    const Ran ran = estimate_program(option);
    EXPECT_EQ(ran.status, 2) << option;
    EXPECT_THAT(ran.err,
                HasSubstr("whose setup is fixed; leave " + option.substr(0, option.find(' '))));
  }
  EXPECT_THAT(estimate_program("--mode inference").err, HasSubstr("leave --mode out"));
  EXPECT_THAT(estimate_program("--auto --rig sim:xavier").err, HasSubstr("--general"));
  EXPECT_THAT(estimate_program("--check --rig sim:xavier").err,
              HasSubstr("nothing can be trained"));
  EXPECT_THAT(estimate_program("--method dual").err, HasSubstr("by the method operations"));
  EXPECT_THAT(estimate("lenet5 --arg batch=3").err, HasSubstr("--arg"));
}

TEST_F(GeneralProfiles, RefuseToRefineOnAnotherDevice) {
  const Ran other = estimate_program("--refine --rig sim:xavier --device accelerator");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("is of simulated accelerator, and the rig is simulated Jetson"));
  const Ran none = estimate_program("--refine --rig sim:xavier");
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("no general profile"));
}

TEST_F(GeneralProfiles, AScriptIsTracedThenEstimated) {
  cli_->write("train.py", "");
  const auto with_runner = [&](const std::string& arguments) {
    return cli_->shell("\"$AMPERE\" estimate " + arguments +
                       " --store sqlite:s.db --rig \"cmd:$FAKE_RUNNER worker\"");
  };
  const Ran ran = with_runner("train.py:mine --arg batch=8 --device accelerator --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("model"), "train.py:mine");
  EXPECT_EQ(ran.json().at("program").at("name"), "mine");
  EXPECT_GT(energy_of(ran.json()), 0);
  const Ran no_profile = with_runner("train.py:mine");
  EXPECT_EQ(no_profile.status, 3);
  EXPECT_THAT(no_profile.err, HasSubstr("no general profile"));
  EXPECT_THAT(with_runner("train.py:mine --batch 4").err,
              HasSubstr("a script decides this itself"));
  EXPECT_EQ(with_runner("none.py").status, 3);
  const Ran other = with_runner("train.py:mine --refine --device accelerator");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("and the rig is"));
}

TEST_F(GeneralProfiles, BadFilesAreNamedWithTheField) {
  const std::string good = cli_->read("general.json");
  const auto add = [&](const std::string& text) {
    cli_->write("bad.json", text);
    return cli_->run("profiles add bad.json --store sqlite:bad.db");
  };
  Json without = Json::parse(good);
  without["laws"].erase("energy");
  for (const auto& [text, message] :
       {std::pair<std::string, std::string>{"", "bad.json: is empty"},
        {"{}", "is not a general profile"},
        {"[]", "is not a general profile"},
        {good.substr(0, good.size() / 2), "bad.json: "},
        {gzip(good).substr(0, 500), "bad.json: "},
        {without.dump(), "bad.json: laws: the key \"energy\" is missing"}}) {
    const Ran ran = add(text);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(message));
  }
  EXPECT_EQ(cli_->run("profiles add none.json --store sqlite:bad.db").status, 2);
  EXPECT_THAT(run("profiles save 7 -o x.json").err, HasSubstr("no profile '7'"));
}

TEST_F(GeneralProfiles, BadProgramsAreRefused) {
  cli_->write("empty.program", "");
  cli_->write("text.program", "hello");
  cli_->write("model.program", R"({"format": "ampere-model"})");
  Json program = Json::parse(cli_->run(std::string("show --json ") + kTwoBlocks).out);
  program["steps"] = Json::array();
  cli_->write("nothing.program", program.dump());
  for (const std::string name : {"empty", "text", "model", "nothing"}) {
    const Ran ran = estimate(name + ".program");
    EXPECT_EQ(ran.status, 2) << name;
    EXPECT_THAT(ran.err, HasSubstr(name + ".program: "));
  }
  EXPECT_EQ(estimate("none.program").status, 3);
  const Ran no_store = cli_->run(std::string("estimate ") + kTwoBlocks + " --store sqlite:none.db");
  EXPECT_EQ(no_store.status, 3);
}

TEST(ShippedProfiles, EachAnswersWithoutAStoreAndWithoutARig) {
  const Cli cli;
  std::istringstream lines(cli.run("profiles --shipped --json").out);
  int profiles = 0;
  for (std::string line; std::getline(lines, line); ++profiles) {
    const std::string name = Json::parse(line).at("id");
    const Ran ran =
        cli.run("estimate resnet50:size=224 --batch 64 --precision bf16 --json --device " + name);
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.json().at("profile"), name);
    EXPECT_EQ(ran.json().at("profiled").at("shipped"), true);
    EXPECT_EQ(ran.json().at("device").at("name"), Json::parse(line).at("device").at("name"));
    EXPECT_THAT(cli.run("estimate cnn5 --device " + name).out,
                HasSubstr("it came with the program"));
  }
  if (profiles == 0) GTEST_SKIP() << "no profile came with the program";
}

TEST_F(GeneralProfiles, TakePartInEvaluationsOfTheirDevice) {
  const std::string evaluate =
      "evaluate lenet5 --rig sim:xavier --networks 3 --timings 40 --profile-networks 6 "
      "--method dual,operations --json --store sqlite:e.db";
  const Ran without = cli_->run(evaluate);
  EXPECT_EQ(without.status, 3);
  EXPECT_THAT(without.err, HasSubstr("rests on a general profile"));
  ASSERT_EQ(cli_->run("run lenet5 --rig sim:xavier --no-learning --store sqlite:e.db").status, 0);
  Json own = Json::parse(cli_->read("general.json"));
  std::istringstream rows(cli_->run("profiles --json --store sqlite:e.db").out);
  std::string row;
  std::getline(rows, row);
  own["device"] = Json::parse(row).at("device");
  cli_->write("own.json", own.dump());
  ASSERT_EQ(cli_->run("profiles add own.json --store sqlite:e.db").status, 0);
  const Ran with = cli_->run(evaluate);
  ASSERT_EQ(with.status, 0) << with.err;
  EXPECT_TRUE(with.json().at("methods").contains("operations"));
  EXPECT_TRUE(with.json().at("methods").contains("dual"));
}

TEST_F(GeneralProfiles, PagesThatNeedBlocksSaySo) {
  EXPECT_EQ(run("profiles points 1").status, 3);
  EXPECT_THAT(run("report profile 1 -o page.html").err, HasSubstr("has no blocks to show"));
  EXPECT_NE(run("prune lenet5 --budget 50% --estimate-only").status, 0);
}

}  // namespace
}  // namespace ampere
