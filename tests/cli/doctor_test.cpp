// What the doctor says, on whatever machine the tests run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(Doctor, GivesAReasonForEverythingAndARemedyForWhatDoesNotWork) {
  const Cli cli;
  const Ran ran = cli.run("doctor --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::vector<Json> lines = lines_of(ran.out);
  for (const Json& line : lines) {
    EXPECT_NE(line.at("reason"), "") << line;
    if (line.at("what") != "profile" && !line.at("available").get<bool>()) {
      EXPECT_FALSE(line.at("remedies").empty()) << line;
    }
  }
}

TEST(Doctor, NamesEveryKindOfMeter) {
  const Cli cli;
  const std::string out = cli.run("doctor").out;
  for (const char* meter : {"nvml", "amdgpu", "intel-gpu", "jetson", "rapl", "hwmon", "battery",
                            "trace", "stream", "replay", "modelled"})
    EXPECT_THAT(out, HasSubstr(std::string("meter ") + meter));
}

TEST(Doctor, SaysWhatAnAvailableMeterIsMadeOf) {
  const Cli cli;
  const std::vector<Json> lines = lines_of(cli.run("doctor --json").out);
  for (const Json& line : lines) {
    if (!line.contains("sensing")) continue;
    EXPECT_FALSE(line.at("domains").empty()) << line;
    EXPECT_EQ(line.at("power_w").is_null(), line.at("source") != "measured") << line;
  }
}

TEST(Doctor, EndsWithWhatAProfileWillBeBasedOn) {
  const Cli cli;
  const std::vector<Json> lines = lines_of(cli.run("doctor --json --rig sim:xavier").out);
  EXPECT_EQ(lines.back().at("what"), "profile");
  EXPECT_EQ(lines.back().at("source"), "simulated");
  EXPECT_THAT(cli.run("doctor --rig cmd:false").out,
              HasSubstr("\nnothing can be profiled here: rig cmd:false does not work\n"));
}

}  // namespace
}  // namespace ampere
