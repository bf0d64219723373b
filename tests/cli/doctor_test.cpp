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

TEST(Doctor, SaysWhereNoStoreCanBeMade) {
  const Cli cli;
  cli.write("file", "x");
  const auto store = [&cli](const std::string& path) {
    const std::vector<Json> lines =
        lines_of(cli.run("doctor --json --rig sim:ideal --store sqlite:" + path).out);
    for (const Json& line : lines)
      if (line.at("what") == "store") return line;
    return Json();
  };
  for (const std::string path : {"/proc/ampere.db", "/proc/a/b/ampere.db", "file/below.db"}) {
    const Json found = store(path);
    EXPECT_FALSE(found.at("available").get<bool>()) << found;
    EXPECT_THAT(found.at("reason").get<std::string>(), HasSubstr(path));
    EXPECT_FALSE(found.at("remedies").empty());
  }
  EXPECT_TRUE(store("new/folder/s.db").at("available").get<bool>());
  EXPECT_FALSE(std::filesystem::exists(cli.path("new"))) << "looking makes nothing";
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
  EXPECT_THAT(store("s.db").at("reason").get<std::string>(), HasSubstr(": 1 profile"));
  EXPECT_THAT(store("s.db").at("reason").get<std::string>(), testing::Not(HasSubstr("profiles")));
  for (const auto& entry : std::filesystem::directory_iterator(cli.path(".")))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".ampere-")) << entry;
}

}  // namespace
}  // namespace ampere
