#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

std::int64_t batch_used(const Cli& cli, const std::string& flags = "") {
  const Ran ran = cli.run("run lenet5 --json " + flags);
  EXPECT_EQ(ran.status, 0) << ran.err;
  return ran.json().at("batch");
}

TEST(Settings, FlagsBeatVariablesBeatTheFolderBeatTheUser) {
  Cli cli;
  std::filesystem::create_directories(cli.path(".config/ampere"));
  cli.write(".config/ampere/config.toml", "rig = \"sim:ideal\"\nbatch = 2\n");
  EXPECT_EQ(batch_used(cli), 2);
  cli.write("ampere.toml", "batch = 3\n");
  EXPECT_EQ(batch_used(cli), 3);
  cli.environment["AMPERE_BATCH"] = "4";
  EXPECT_EQ(batch_used(cli), 4);
  EXPECT_EQ(batch_used(cli, "--batch 5"), 5);
}

TEST(Settings, UnknownKeysAreWarnedAbout) {
  Cli cli;
  cli.write("ampere.toml", "bach = 3\n");
  cli.environment["AMPERE_STROE"] = "memory:";
  const Ran ran = cli.run("run lenet5 --rig sim:ideal");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err,
              HasSubstr("ampere.toml: bach: not a setting of ampere; did you mean 'batch'?"));
  EXPECT_THAT(ran.err, HasSubstr("AMPERE_STROE"));
}

TEST(Settings, VariablesOfOurScriptsAreNoSettings) {
  Cli cli;
  for (const char* name : {"AMPERE_PROGRAM", "AMPERE_PASS_ENVIRONMENT", "AMPERE_DIFF_BEFORE",
                           "AMPERE_DIFF_AFTER", "AMPERE_DIFF_OPTIONS", "AMPERE_FOLDER"})
    cli.environment[name] = "HOME";
  EXPECT_EQ(cli.run("models").err, "");
}

TEST(Settings, ABrokenFileIsNamedWithItsLine) {
  const Cli cli;
  cli.write("ampere.toml", "rig = \"sim:ideal\"\nbatch = \n");
  const Ran ran = cli.run("models");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("ampere.toml: line 2"));
}

TEST(Settings, AWrongValueIsNamedWithItsKey) {
  Cli cli;
  cli.environment["AMPERE_BATCH"] = "many";
  const Ran ran = cli.run("models");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("AMPERE_BATCH: 'many' is not a whole number"));
}

TEST(Settings, TheStoreIsUnderTheUsersDataFolder) {
  Cli cli;
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal").status, 0);
  EXPECT_TRUE(std::filesystem::exists(cli.path(".local/share/ampere/store.db")));
  cli.environment["XDG_DATA_HOME"] = cli.path("data").string();
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal").status, 0);
  EXPECT_TRUE(std::filesystem::exists(cli.path("data/ampere/store.db")));
}

}  // namespace
}  // namespace ampere
