// The main job on real hardware: profile, estimate, train for real. Short and coarse: what is
// checked is that it works, not how precise it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kQuick =
    " --rig cpu --store sqlite:s.db --measure-error 0.2 --point-seconds 0.5 ";

struct Way {
  const char* method;
  const char* options;
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.method; }

class OnTheCpuBy : public testing::TestWithParam<Way> {};

TEST_P(OnTheCpuBy, ANetworkIsProfiledEstimatedAndTrained) {
  const Cli cli;
  const Ran profiled = cli.run(std::string("profile lenet5 --json ") + GetParam().options + kQuick);
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  EXPECT_EQ(profiled.json().at("method"), GetParam().method);
  const std::string source = profiled.json().at("source");
  EXPECT_EQ(profiled.err.find("joules are modelled") != std::string::npos, source == "modelled")
      << profiled.err;
  EXPECT_EQ(profiled.json().at("failed"), 0);
  const Ran checked = cli.run(std::string("estimate lenet5 --check --json") + kQuick);
  ASSERT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(checked.json().at("source"), source);
  EXPECT_EQ(checked.json().at("method"), GetParam().method);
  EXPECT_GT(checked.json().at("time_s").at("mean").get<double>(), 0);
  EXPECT_GT(checked.json().at("checked").at("time_s_per_iteration").at("mean").get<double>(), 0);
  if (GetParam().method != std::string("dual")) return;

  const Json before = cli.run("profiles --json --store sqlite:s.db").json();
  const Ran refined = cli.run(std::string("estimate lenet5:5,11,70,50 --refine --json") + kQuick);
  ASSERT_EQ(refined.status, 0) << refined.err;
  EXPECT_EQ(refined.json().at("method"), "dual");
  EXPECT_EQ(cli.run("profiles --json --store sqlite:s.db").json().at("points"), before.at("points"))
      << "blocks are timed, nothing is measured";
}

INSTANTIATE_TEST_SUITE_P(Cli, OnTheCpuBy,
                         testing::Values(Way{"dual", "--timings 40 --networks 6"},
                                         Way{"ampere", "--method ampere --points 6"}));

// Without Python, and by the operations of networks that were never trained there.
TEST(OnTheCpu, AGeneralProfileOfTheRunnerAnswersForAnyNetwork) {
  const Cli cli;
  const std::string quick = " --programs 1 --measure-error 0.2 --point-seconds 0.5 --json";
  const Ran profiled = cli.run("profile --general --rig cpu:1 --record seen.jsonl --operations 20" +
                               quick + " --store sqlite:s.db");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  const Json summary = profiled.json();
  EXPECT_EQ(summary.at("method"), "operations");
  EXPECT_EQ(summary.at("failed"), 0) << profiled.err;
  EXPECT_GT(summary.at("timed"), 20) << "with the dearest of the program";
  const Ran estimated =
      cli.run("estimate cnn5 --batch 4 --rig cpu:1 --refine --json --store sqlite:s.db");
  ASSERT_EQ(estimated.status, 0) << estimated.err;
  EXPECT_EQ(estimated.json().at("method"), "operations");
  EXPECT_GT(estimated.json().at("energy_j").at("mean").get<double>(), 0);
  EXPECT_EQ(estimated.json().at("host_s_per_iteration"), 0) << "on a CPU the call is the work";
  EXPECT_GT(estimated.json().at("device_time_by_source").at("timed").get<double>(), 0.5);
  const Ran again = cli.run("profile --general --rig recorded:seen.jsonl --operations 20" + quick +
                            " --store sqlite:again.db");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json().at("timed"), summary.at("timed"));
}

TEST(OnTheCpu, RunTrainsAtLeastAsManyIterationsAsAsked) {
  const Cli cli;
  const Ran ran = cli.run(std::string("run lenet5:1,1,1,1 --iterations 2000 --json") + kQuick);
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::int64_t trained = 0;
  const Json json = ran.json();
  for (const Json& window : json.at("measurement").at("windows"))
    trained += window.at("iterations").get<std::int64_t>();
  EXPECT_GE(trained, 2000);
}

TEST(OnTheCpu, ANetworkLargerThanTheMemoryFailsAndIsRemembered) {
  const Cli cli;
  const Ran ran = cli.run(std::string("run vgg16 --batch 100000") + kQuick);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("memory"));
  EXPECT_EQ(cli.run("profiles --json --store sqlite:s.db").json().at("failures"), 1);
}

TEST(OnTheCpu, TheDoctorKnowsTheRunnerAndWhatAProfileIsBasedOn) {
  const Cli cli;
  const Ran ran = cli.run("doctor");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("yes rig cpu: "));
  EXPECT_THAT(ran.out, HasSubstr("libtorch"));
  EXPECT_THAT(ran.out, testing::ContainsRegex(
                           "\na profile taken here will be based on (measured|modelled) joules: "));
}

TEST(OnTheCpu, AMeterThatIsAskedForIsNeverReplaced) {
  const Cli cli;
  const Ran probe = cli.run("doctor --json");
  if (probe.out.find(R"("what":"meter rapl","available":true)") != std::string::npos)
    GTEST_SKIP() << "RAPL works here";
  const Ran ran = cli.run(std::string("profile lenet5 --meter rapl") + kQuick);
  EXPECT_THAT(ran.status, testing::AnyOf(5, 4)) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("rapl"));
  EXPECT_EQ(cli.run("profiles --store sqlite:s.db --json").out, "") << "nothing was begun";
}

}  // namespace
}  // namespace ampere
