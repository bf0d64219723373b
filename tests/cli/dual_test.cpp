// The method that is used unless another is asked for, from profile to answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

// One profile of two networks on an asynchronous device serves all of these.
class DualCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    profiled_ = cli_->run("profile lenet5 cnn5 --rig sim:server --store sqlite:s.db --json");
    ASSERT_EQ(profiled_.status, 0) << profiled_.err;
  }
  static void TearDownTestSuite() { delete cli_; }

  static Ran estimate(const std::string& arguments, const std::string& input = "") {
    return cli_->run("estimate --store sqlite:s.db " + arguments, input);
  }

  static Cli* cli_;
  static Ran profiled_;
};
Cli* DualCommand::cli_ = nullptr;
Ran DualCommand::profiled_;

TEST_F(DualCommand, ProfileSaysWhatItDidAndHowGoodItIs) {
  const Json json = profiled_.json();
  EXPECT_EQ(json.at("method"), "dual");
  EXPECT_EQ(json.at("timed"), 600 + 75) << "an eighth more at round widths";
  EXPECT_GE(json.at("measured").get<int>(), 30);
  EXPECT_EQ(json.at("failed"), 0);
  EXPECT_LT(json.at("cross_validated").at("energy_mape").get<double>(), 0.1);
  EXPECT_GE(json.at("drift").at("repeats").get<int>(), 4);
}

TEST_F(DualCommand, AnswersForBothNetworksAndSaysHow) {
  const Ran ran = estimate("lenet5 cnn5:8,16,32,64 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  int answers = 0;
  for (std::string line; std::getline(lines, line); ++answers) {
    const Json json = Json::parse(line);
    EXPECT_EQ(json.at("method"), "dual");
    EXPECT_TRUE(json.at("uncovered").empty());
    EXPECT_GT(json.at("energy_j").at("low").get<double>(), 0);
  }
  EXPECT_EQ(answers, 2);
  EXPECT_THAT(estimate("lenet5").out, HasSubstr("simulated, method dual)\n"));
}

TEST_F(DualCommand, TellsTheOwnerOfAWaitingDeviceWhatToDo) {
  const Json json = estimate("lenet5 --json").json();
  ASSERT_EQ(json.at("advice").size(), 1u);
  EXPECT_THAT(json.at("advice")[0].get<std::string>(), HasSubstr("host-bound"));
  EXPECT_THAT(estimate("lenet5").out, HasSubstr("\nadvice: host-bound"));
}

TEST_F(DualCommand, IsCloseToTraining) {
  const Ran ran = estimate("cnn5:5,9,33,70 --check --no-learning --rig sim:server --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json energy = ran.json().at("checked").at("energy_j_per_iteration");
  EXPECT_LT(std::abs(energy.at("relative_error_of_estimate").get<double>()), 0.15);
}

TEST_F(DualCommand, AnswersAStreamAsItAnswersOne) {
  const Json one = estimate("cnn5:3,5,7,11 --json").json();
  EXPECT_EQ(estimate("- --json", "cnn5:3,5,7,11\n").json(), one);
}

TEST_F(DualCommand, SaysWhatItDoesNotCover) {
  const Ran ran = estimate("vgg16 --json");
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(ran.json().at("energy_j").is_null());
  EXPECT_FALSE(ran.json().at("uncovered").empty());
}

TEST_F(DualCommand, AModelFileIsANetworkAsAnyOther) {
  const Cli cli;
  cli.write("m.json", cli.run("show lenet5:4,8,16,32 --json").out);
  ASSERT_EQ(cli.run("profile m.json --rig sim:xavier --store sqlite:s.db").status, 0);
  const Json file = cli.run("estimate m.json --store sqlite:s.db --json").json(),
             narrower = cli.run("estimate lenet5:2,4,8,16 --store sqlite:s.db --json").json(),
             wider = cli.run("estimate lenet5 --store sqlite:s.db --json").json();
  EXPECT_EQ(file.at("method"), "dual");
  EXPECT_TRUE(file.at("warnings").empty());
  EXPECT_TRUE(narrower.at("warnings").empty());
  EXPECT_THAT(wider.at("warnings").dump(), HasSubstr("outside what was profiled"));
}

TEST(ProfileMethod, ThePublishedOneIsUsedWhereItIsAllThereIs) {
  const Cli cli;
  const Ran profiled =
      cli.run("profile lenet5 --method ampere --rig sim:ideal --store sqlite:s.db --json");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  EXPECT_EQ(profiled.json().at("method"), "ampere");
  EXPECT_EQ(profiled.json().at("timed"), 0);
  EXPECT_THAT(cli.run("estimate lenet5 --store sqlite:s.db").out, HasSubstr("method ampere)\n"));
  const Ran dual = cli.run("estimate lenet5 --method dual --store sqlite:s.db");
  EXPECT_EQ(dual.status, 3);
  EXPECT_THAT(dual.err,
              HasSubstr("`ampere profile lenet5 --rig sim:ideal --batch 10 --method dual`"));
}

TEST(ProfileMethod, OneProfileHoldsBoth) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
  ASSERT_EQ(cli.run("profile lenet5 --method ampere --rig sim:ideal --store sqlite:s.db").status,
            0);
  EXPECT_EQ(cli.run("profiles --store sqlite:s.db --json").json().at("id"), "1");
  for (const std::string method : {"dual", "ampere"})
    EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:s.db --json --method " + method)
                  .json()
                  .at("method"),
              method);
  EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:s.db --json").json().at("method"), "dual");
}

TEST(ProfileMethod, WhatDualDoesNotCoverThePublishedOneMay) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
  ASSERT_EQ(cli.run("profile har --method ampere --rig sim:ideal --store sqlite:s.db").status, 0);
  EXPECT_EQ(cli.run("estimate har --store sqlite:s.db --json").json().at("method"), "ampere");
  EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:s.db --json").json().at("method"), "dual");
}

TEST(ProfileMethod, TooLittleIsSaidAndIsNoModel) {
  const Cli cli;
  const Ran little =
      cli.run("profile lenet5 --timings 1 --networks 1 --rig sim:ideal --store sqlite:s.db --json");
  EXPECT_EQ(little.status, 1) << "it can estimate nothing";
  EXPECT_TRUE(little.json().at("cross_validated").is_null());
  EXPECT_THAT(little.err, HasSubstr("too little was measured"));
  const Ran asked = cli.run("estimate lenet5 --store sqlite:s.db --json");
  EXPECT_EQ(asked.status, 3);
  EXPECT_THAT(asked.err, HasSubstr("`ampere profile lenet5 --rig sim:ideal --batch 10`"));
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
  EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:s.db --json").json().at("method"), "dual");
}

TEST(ProfileMethod, AHugeWishIsEverythingThereIs) {
  const Cli cli;
  const Ran ran = cli.run(
      "profile lenet5 --timings 100000 --networks 5 --rig sim:ideal --store "
      "memory: --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_GT(ran.json().at("timed").get<int>(), 600);
  EXPECT_LT(ran.json().at("timed").get<int>(), 2000);
}

TEST(ProfileMethod, MoreOfItAddsToWhatIsThere) {
  const Cli cli;
  const std::string profile = "profile cnn5 --rig sim:server --store sqlite:s.db --json --timings ";
  EXPECT_EQ(cli.run(profile + "100").json().at("timed"), 100 + 13);
  EXPECT_EQ(cli.run(profile + "100").json().at("timed"), 0);
  EXPECT_EQ(cli.run(profile + "250").json().at("timed"), 150 + 19);
}

// Nothing is kept of what is tried to see how long it would take.
TEST(ProfileMethod, ADryRunSaysWhatAndHowLong) {
  const Cli cli;
  const Ran ran = cli.run("profile lenet5 --rig sim:ideal --dry-run --store sqlite:s.db");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out,
              testing::MatchesRegex("at most 675 blocks to time alone and 32 networks to "
                                    "measure, (less than|about) [0-9]+ s on simulated ideal "
                                    "device\n"));
  EXPECT_EQ(cli.run("profiles --store sqlite:s.db --json").out, "");
}

TEST(ProfileMethod, ANetworkLargerThanTheDeviceIsAFailureThatIsKept) {
  const Cli cli;
  const Ran ran = cli.run(
      "profile vgg16 --batch 512 --rig sim:oppo --store sqlite:s.db --json --timings 20 "
      "--networks 4");
  EXPECT_EQ(ran.status, 1) << "nothing can be estimated from it";
  EXPECT_GT(ran.json().at("failed").get<int>(), 0);
  EXPECT_THAT(ran.err, HasSubstr("out of memory"));
  const Ran again = cli.run(
      "profile vgg16 --batch 512 --rig sim:oppo --store sqlite:s.db --json --timings 20 "
      "--networks 4");
  EXPECT_EQ(again.json().at("failed"), 0) << "what failed is not tried again";
}

}  // namespace
}  // namespace ampere
