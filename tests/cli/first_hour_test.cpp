// What a new user does in the first hour, in any order: every refusal leads on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kQuick = " --timings 60 --networks 6";

class FirstHour : public testing::Test {
 protected:
  Ran run(const std::string& arguments) const {
    const Ran ran = cli_.run(arguments + " --store sqlite:s.db");
    return ran;
  }
  void must(const std::string& arguments) const {
    const Ran ran = run(arguments);
    ASSERT_EQ(ran.status, 0) << arguments << ": " << ran.err;
  }
  std::string device_of(const std::string& arguments) const {
    const Ran ran = run(arguments + " --json");
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.status == 0 ? ran.json().at("device").at("name").get<std::string>() : "";
  }

  // The first command in a message, with `cnn5` for what stands for a network.
  static std::string command_in(const std::string& message) {
    std::smatch found;
    if (!std::regex_search(message, found, std::regex("`ampere ([^`]*)`"))) return "";
    return std::regex_replace(found[1].str(), std::regex("MODEL|FAMILY"), "cnn5");
  }

  const Cli cli_;
};

TEST_F(FirstHour, AnEmptyProfileOfAnotherDeviceHidesNothing) {
  must(std::string("profile cnn5 --rig sim:server") + kQuick);
  must("run cnn5 --rig sim:oppo");
  EXPECT_THAT(device_of("estimate cnn5"), HasSubstr("server"));
}

TEST_F(FirstHour, AnEvaluationElsewhereSaysWhatElseThereIs) {
  must(std::string("profile cnn5 --rig sim:server") + kQuick);
  must(
      "evaluate cnn5 --rig sim:xavier --networks 2 --method dual --timings 60 "
      "--profile-networks 6");
  const Ran ran = run("estimate cnn5");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err + ran.out, testing::AllOf(HasSubstr("profile 1 (simulated GPU server"),
                                                HasSubstr("profile 2 (simulated Jetson Xavier")));
  EXPECT_THAT(device_of("estimate cnn5 --rig sim:server"), HasSubstr("server"));
}

TEST_F(FirstHour, ARigWithoutAProfileIsRefusedWithTheCommandThatMakesOne) {
  must(std::string("profile cnn5 --rig sim:server --seed 0") + kQuick);
  const Ran other = run("estimate cnn5 --rig sim:oppo");
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("`ampere profile"));
}

// A refusal names a command; that command is run as it stands, and then there is an answer.
class LeadsOn : public FirstHour, public testing::WithParamInterface<const char*> {};

TEST_P(LeadsOn, ByTheCommandThatTheRefusalNames) {
  must(std::string("profile cnn5 --rig sim:ideal") + kQuick);
  const std::string asked = std::string("estimate cnn5 --method ") + GetParam();
  const Ran refused = run(asked);
  ASSERT_EQ(refused.status, 3) << refused.out;
  EXPECT_LT(std::ranges::count(refused.err, '\n'), 4) << refused.err;
  const std::string command = command_in(refused.err);
  ASSERT_NE(command, "") << refused.err;
  const bool names_rig = command.find(" --rig ") != command.npos;
  must(names_rig ? command : command + " --rig sim:ideal");
  must(asked);
}

INSTANTIATE_TEST_SUITE_P(Cli, LeadsOn, testing::Values("ampere", "neuralpower"));

}  // namespace
}  // namespace ampere
