#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

TEST(ProfilesCommand, AnExportedProfileAnswersOnAnotherMachineAsAtHome) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:xavier --store sqlite:home.db").status, 0);
  ASSERT_EQ(cli.run("profiles export 1 --output x.json --store sqlite:home.db").status, 0);
  ASSERT_EQ(cli.run("profiles import x.json --store sqlite:away.db").status, 0);
  const Ran home = cli.run("estimate lenet5 --store sqlite:home.db --json");
  const Ran away = cli.run("estimate lenet5 --store sqlite:away.db --json");
  EXPECT_EQ(home.status, 0);
  EXPECT_EQ(home.json(), away.json());
  EXPECT_EQ(away.json().at("method"), "dual");
  const Ran again = cli.run("profile lenet5 --rig sim:xavier --store sqlite:away.db --json");
  EXPECT_EQ(again.json().at("measured"), 0) << "its measurements came along";
  EXPECT_EQ(again.json().at("timed"), 0) << "and its timings";
  EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:away.db --json").out, home.out)
      << "fitted to the same, it is the same";
}

TEST(ProfilesCommand, ListsAndRemoves) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:tx2 --store sqlite:s.db").status, 0);
  const Ran listed = cli.run("profiles --store sqlite:s.db");
  EXPECT_THAT(listed.out, HasSubstr("simulated"));
  const Json row = cli.run("profiles --json --store sqlite:s.db").json();
  EXPECT_EQ(row.at("rig"), "sim:tx2");
  EXPECT_GT(row.at("points").get<int>(), 10);
  EXPECT_EQ(cli.run("profiles remove 1 --store sqlite:s.db").status, 0);
  EXPECT_EQ(cli.run("profiles --json --store sqlite:s.db").out, "");
  EXPECT_EQ(cli.run("profiles remove 1 --store sqlite:s.db").status, 3);
}

TEST(ProfilesCommand, AProfileSaysWhichMethodsItSupports) {
  const Cli cli;
  const auto methods = [&](const std::string& profile) {
    EXPECT_EQ(cli.run("profile lenet5 --rig sim:tx2 --store sqlite:s.db" + profile).status, 0);
    return cli.run("profiles --json --store sqlite:s.db").json().at("methods");
  };
  EXPECT_EQ(methods(" --method ampere --points 3"), Json::array({"ampere"}));
  EXPECT_EQ(methods(""), Json::array({"dual", "ampere"}));
}

// Every block of cnn5 is of a kind of its own, whose largest point it is.
TEST(ProfilesCommand, TheLargestPointsOfAllKindsAddUpToTheNetwork) {
  const Cli cli;
  const std::string store = " --store sqlite:s.db";
  ASSERT_EQ(cli.run("profile cnn5 --rig sim:ideal --method ampere --points 6" + store).status, 0);
  std::map<std::string, Json> largest;
  std::istringstream lines(cli.run("profiles points 1 --json" + store).out);
  for (std::string line; std::getline(lines, line);) {
    Json point = Json::parse(line);
    Json& most = largest[point.at("key")];
    if (most.is_null() || most.at("training_flops") < point.at("training_flops")) most = point;
  }
  const Json network = cli.run("show cnn5 --batch 10 --json").json();
  double joules = 0, flops = 0;
  for (const Json& block : network.at("blocks")) {
    const Json& point = largest.at(block.at("key"));
    EXPECT_EQ(point.at("features"), block.at("features"));
    joules += point.at("energy_j_per_iteration").at("mean").get<double>();
    flops += point.at("training_flops").get<double>();
  }
  EXPECT_NEAR(flops / network.at("flops").at("training").get<double>(), 1, 0.05);
  const Json measured = cli.run("run cnn5 --rig sim:ideal --json" + store).json();
  EXPECT_NEAR(
      joules / measured.at("energy_j").get<double>() * measured.at("iterations").get<double>(), 1,
      0.05);
}

TEST(ProfilesCommand, PointsNeedAProfileThatHasThem) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:tx2 --store sqlite:s.db").status, 0);
  const Ran ran = cli.run("profiles points 1 --store sqlite:s.db");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("--method ampere"));
  EXPECT_EQ(cli.run("profiles points 7 --store sqlite:s.db").status, 3);
}

TEST(ProfilesCommand, TwoDevicesAreToldApart) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:tx2 --store sqlite:s.db").status, 0);
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:xavier --store sqlite:s.db").status, 0);
  const Json latest = cli.run("estimate lenet5 --store sqlite:s.db --json").json();
  EXPECT_THAT(latest.at("device").at("name").get<std::string>(), HasSubstr("Xavier"));
  EXPECT_THAT(latest.at("warnings").dump(), HasSubstr("name a profile or a rig"));
  const Json chosen = cli.run("estimate lenet5 --store sqlite:s.db --rig sim:tx2 --json").json();
  EXPECT_THAT(chosen.at("device").at("name").get<std::string>(), HasSubstr("TX2"));
  EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:s.db --profile 1 --json").json().at("energy_j"),
            chosen.at("energy_j"));
}

class Recording : public testing::TestWithParam<const char*> {};

TEST_P(Recording, RepeatsAProfileExactly) {
  const Cli cli;
  const std::string profile = std::string("profile lenet5 --json --method ") + GetParam();
  const Ran live = cli.run(profile + " --rig sim:server --store sqlite:a.db --record r.jsonl.gz");
  ASSERT_EQ(live.status, 0) << live.err;
  const Ran replayed = cli.run(profile + " --rig recorded:r.jsonl.gz --store sqlite:b.db");
  ASSERT_EQ(replayed.status, 0) << replayed.err;
  for (const char* key : {"measured", "method", "device", "source"})
    EXPECT_EQ(live.json().at(key), replayed.json().at(key)) << key;
  EXPECT_EQ(cli.run("estimate lenet5 --store sqlite:a.db --json").json().at("energy_j"),
            cli.run("estimate lenet5 --store sqlite:b.db --json").json().at("energy_j"));
  const Ran other = cli.run("profile cnn5 --rig recorded:r.jsonl.gz --store sqlite:b.db");
  EXPECT_EQ(other.status, 3) << "what was not recorded is not made up";
}

INSTANTIATE_TEST_SUITE_P(Cli, Recording, testing::Values("dual", "ampere"));

struct Preview {
  const char* method;
  std::vector<const char*> counts;  // keys
};

void PrintTo(const Preview& preview, std::ostream* out) { *out << preview.method; }

class DryRun : public testing::TestWithParam<Preview> {};

TEST_P(DryRun, SaysWhatWouldBeMeasuredAndMeasuresNothing) {
  const Cli cli;
  const std::string profile =
      std::string("profile lenet5 --rig sim:ideal --store sqlite:s.db --method ") +
      GetParam().method;
  const Ran ran = cli.run(profile + " --dry-run --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  for (const char* count : GetParam().counts) EXPECT_GT(ran.json().at(count).get<int>(), 10);
  EXPECT_GT(ran.json().at("about_s").get<double>(), 0);
  EXPECT_FALSE(std::filesystem::exists(cli.path("s.db")));
  ASSERT_EQ(cli.run(profile).status, 0);
  const Json left = cli.run(profile + " --dry-run --json").json();
  for (const char* count : GetParam().counts) EXPECT_EQ(left.at(count), 0);
  EXPECT_EQ(left.at("about_s"), 0);
}

INSTANTIATE_TEST_SUITE_P(Cli, DryRun,
                         testing::Values(Preview{"dual", {"at_most_timings", "at_most_networks"}},
                                         Preview{"ampere", {"at_most_points"}}));

// A rig that cannot train in a format says so only when it is asked to.
TEST(Profiles, ARefusedOneLeavesNothingInTheStore) {
  const Cli cli;
  const std::string store = " --store sqlite:s.db";
  const Ran refused = cli.run("profile cnn5 --rig sim:xavier --batch 64 --precision bf16" + store);
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(cli.run("profiles --json" + store).out, "");
  const Ran estimated = cli.run("estimate cnn5 --batch 64 --precision bf16" + store);
  EXPECT_EQ(estimated.status, 3);
  EXPECT_THAT(estimated.err, HasSubstr("the store is empty"));
  EXPECT_THAT(estimated.err, HasSubstr("`ampere profile cnn5 --batch 64 --precision bf16`"));
}

}  // namespace
}  // namespace ampere
