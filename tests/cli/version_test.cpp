// `ampere --version --json` tells the numbers that the program really writes.
#include <gtest/gtest.h>

#include "../support/gunzip.h"
#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;

Json version_of_program(const Cli& cli) { return cli.run("--version --json").json(); }

Json first_line(const std::string& text) { return Json::parse(text.substr(0, text.find('\n'))); }

TEST(Version, IsTheSameByEveryName) {
  const Cli cli;
  const std::string plain = cli.run("--version").out, json = cli.run("--version --json").out;
  EXPECT_EQ(cli.run("version").out, plain);
  EXPECT_EQ(cli.run("version --json").out, json);
  EXPECT_EQ(cli.run("--json --version").out, json);
  EXPECT_EQ(plain, "ampere " + Json::parse(json)["version"].get<std::string>() + "\n");
}

TEST(Version, IsNoOptionOfOtherVerbs) {
  const Cli cli;
  EXPECT_EQ(cli.run("--json").status, 2);
  EXPECT_EQ(cli.run("version --jsn").status, 2);
  EXPECT_EQ(cli.run("models --version").status, 2);
}

TEST(Version, SaysHowTheProgramWasBuilt) {
  const Cli cli;
  const Json build = version_of_program(cli)["build"];
  for (const char* key : {"type", "compiler", "flags", "architecture"})
    EXPECT_TRUE(build[key].is_string()) << key;
  EXPECT_FALSE(build["compiler"].get<std::string>().empty());
  // Unknown in a build of an archive.
  if (!build["revision"].is_null()) {
    EXPECT_GE(build["revision"].get<std::string>().size(), 40U);
  }
}

TEST(Version, KnowsTheFormatsThatAreWritten) {
  const Cli cli;
  const Json formats = version_of_program(cli)["formats"];
  const Ran profiled =
      cli.run("profile lenet5 --rig sim:ideal --networks 4 --store sqlite:s.db --record r.jsonl");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  EXPECT_EQ(first_line(cli.read("r.jsonl"))["ampere_recording"], formats["recording"]);

  ASSERT_EQ(cli.run("profiles export 1 --store sqlite:s.db -o p.json").status, 0);
  EXPECT_EQ(Json::parse(cli.read("p.json"))["version"], formats["exported_profile"]);

  ASSERT_EQ(cli.run("trace lenet5 --rig sim:ideal -o x.program").status, 0);
  const std::string program = testing_support::gunzip(cli.path("x.program").string());
  EXPECT_NE(program.find("\"version\":" + formats["program"].dump()), std::string::npos)
      << program.substr(0, 200);
}

TEST(Version, KnowsTheSchemaOfStores) {
  const Cli cli;
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
  const std::string file = cli.read("s.db");
  ASSERT_GT(file.size(), 64U);
  // The header of a SQLite file has the user version at byte 60, the highest byte first.
  int version = 0;
  for (int i = 0; i < 4; ++i) version = 256 * version + static_cast<unsigned char>(file[60 + i]);
  EXPECT_EQ(version_of_program(cli)["store_schema"]["sqlite"], version);
}

TEST(Version, IsThatOfThePythonPackage) {
  const Cli cli;
  const std::string python = read_text_file(AMPERE_PYTHON_VERSION);
  const std::string version = version_of_program(cli)["version"];
  EXPECT_NE(python.find("VERSION = \"" + version + "\""), std::string::npos) << python;
}

}  // namespace
}  // namespace ampere
