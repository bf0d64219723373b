// `ampere profile --test-points`: what is measured beside the fits, and what is said of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

const std::string kTestedProfile =
    "profile lenet5 --rig sim:xavier --method ampere --points 5 --store sqlite:s.db";

TEST(ProfileTestPoints, AreMeasuredOnceAndScoredKindByKind) {
  const Cli cli;
  const Ran first = cli.run(kTestedProfile + " --test-points 3 --json");
  ASSERT_EQ(first.status, 0) << first.err;
  const Json tests = first.json().at("tests");
  EXPECT_GT(tests.at("measured").get<int>(), 6);
  int points = 0;
  for (const Json& kind : tests.at("kinds")) {
    points += kind.at("points").get<int>();
    EXPECT_EQ(kind.at("failed"), 0);
    if (kind.at("points") == 0) {
      EXPECT_TRUE(kind.at("energy_mape").is_null()) << kind;
    } else {
      EXPECT_LT(kind.at("energy_mape").get<double>(), 1) << kind;
      EXPECT_FALSE(kind.at("worst").at("features").empty()) << kind;
    }
  }
  EXPECT_EQ(points, tests.at("measured").get<int>());

  const Json again = cli.run(kTestedProfile + " --test-points 3 --json").json();
  EXPECT_EQ(again.at("measured"), 0);
  EXPECT_EQ(again.at("tests").at("measured"), 0);
  EXPECT_EQ(again.at("tests").at("kinds"), tests.at("kinds"));
  EXPECT_GT(cli.run(kTestedProfile + " --test-points 4 --json").json().at("tests").at("measured"),
            0);
  EXPECT_TRUE(cli.run(kTestedProfile + " --json").json().at("tests").is_null()) << "not asked for";
}

TEST(ProfileTestPoints, ChangeNoEstimateAndNoCount) {
  const Cli cli;
  ASSERT_EQ(cli.run(kTestedProfile).status, 0);
  const std::string estimate = "estimate lenet5 --store sqlite:s.db --json";
  const std::string before = cli.run(estimate).out;
  const Json row = cli.run("profiles --json --store sqlite:s.db").json();
  EXPECT_EQ(row.at("tests"), 0);
  const Ran tested = cli.run(kTestedProfile + " --test-points 3");
  ASSERT_EQ(tested.status, 0) << tested.err;
  EXPECT_THAT(tested.out, HasSubstr("test points measured"));
  EXPECT_THAT(tested.out, HasSubstr("MAPE"));
  EXPECT_EQ(cli.run(estimate).out, before);
  Json now = cli.run("profiles --json --store sqlite:s.db").json();
  EXPECT_GT(now.at("tests").get<int>(), 0);
  for (const char* count : {"kinds", "points", "failures", "methods"})
    EXPECT_EQ(now.at(count), row.at(count)) << count;
}

TEST(ProfileTestPoints, AreInTheDryRun) {
  const Cli cli;
  const Json plan = cli.run(kTestedProfile + " --test-points 3 --dry-run --json").json();
  EXPECT_GT(plan.at("at_most_test_points").get<int>(), 6);
  EXPECT_EQ(cli.run(kTestedProfile + " --dry-run --json").json().at("at_most_test_points"), 0);
  ASSERT_EQ(cli.run(kTestedProfile + " --test-points 3").status, 0);
  const Json left = cli.run(kTestedProfile + " --test-points 3 --dry-run --json").json();
  EXPECT_EQ(left.at("at_most_test_points"), 0);
  EXPECT_EQ(left.at("about_s"), 0);
}

TEST(ProfileTestPoints, ATimeLimitHoldsForThemToo) {
  const Cli cli;
  const Ran ran = cli.run(kTestedProfile + " --test-points 3 --time-limit 1e-9 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("tests").at("measured"), 0);
  EXPECT_TRUE(ran.json().at("stopped_by_time_limit").get<bool>());
}

TEST(ProfileTestPoints, ARecordingHasThoseThatWereMeasured) {
  const Cli cli;
  const std::string profile = "profile lenet5 --method ampere --points 5 --json --test-points ";
  const Ran live = cli.run(profile + "2 --rig sim:xavier --store memory: --record r.jsonl.gz");
  ASSERT_EQ(live.status, 0) << live.err;
  const Ran replayed = cli.run(profile + "2 --rig recorded:r.jsonl.gz --store sqlite:b.db");
  ASSERT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_EQ(replayed.json().at("tests").at("kinds"), live.json().at("tests").at("kinds"));
  const Ran more = cli.run(profile + "9 --rig recorded:r.jsonl.gz --store sqlite:b.db");
  ASSERT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(more.json().at("tests").at("measured"), 0) << "what was not recorded is not drawn";
  EXPECT_EQ(more.json().at("tests").at("failed"), 0);
}

struct RefusedTestPoints {
  const char* options;
  const char* says;
};
void PrintTo(const RefusedTestPoints& refused, std::ostream* out) { *out << refused.options; }

class BadTestPoints : public testing::TestWithParam<RefusedTestPoints> {};

TEST_P(BadTestPoints, AreRefusedBeforeAnythingIsMeasured) {
  const Cli cli;
  const Ran ran = cli.run(std::string("profile lenet5 --rig sim:xavier --store sqlite:s.db ") +
                          GetParam().options);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr(GetParam().says));
  EXPECT_EQ(cli.run("profiles --json --store sqlite:s.db").out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadTestPoints,
    testing::Values(
        RefusedTestPoints{"--method dual --test-points 3", "add --method ampere"},
        RefusedTestPoints{"--test-points 3", "add --method ampere"},
        RefusedTestPoints{"--test-points 3 --dry-run", "add --method ampere"},
        RefusedTestPoints{"--method ampere --test-points -1", "not between 0 and 1000"},
        RefusedTestPoints{"--method ampere --test-points 1001", "not between 0 and 1000"},
        RefusedTestPoints{"--method ampere --test-points 1001 --dry-run", "not between 0"},
        RefusedTestPoints{"--method ampere --test-points some", "--test-points"}));

}  // namespace
}  // namespace ampere
