// What is measured later makes the estimates better, where it may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kNetwork = " cnn5:13,30,61,127 ";  // wider than what is profiled
constexpr const char* kProfile =
    "profile cnn5:8,16,32,64 --rig sim:xavier --timings 150 --networks 16 --store sqlite:s.db";

class Learning : public testing::Test {
 protected:
  void SetUp() override {
    const Ran ran = cli_.run(kProfile);
    ASSERT_EQ(ran.status, 0) << ran.err;
    before_ = estimate();
  }

  Ran ask(const std::string& arguments) const {
    return cli_.run("estimate --store sqlite:s.db --json " + arguments);
  }
  Json estimate() const { return ask(kNetwork).json(); }
  static double energy(const Json& json) {
    return json.at("energy_j_per_iteration").at("mean").get<double>();
  }
  static double error(const Json& estimate, double truth) {
    return std::abs(energy(estimate) / truth - 1);
  }
  std::size_t timings() const {
    return cli_.run("profiles export 1 --store sqlite:s.db").json().at("timings").size();
  }

  const Cli cli_;
  Json before_;
};

TEST_F(Learning, ACheckedNetworkIsKnownFromThenOn) {
  const Ran checked = ask(std::string(kNetwork) + "--check --rig sim:xavier");
  ASSERT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(energy(checked.json()), energy(before_)) << "estimated before it was trained";
  const double truth = energy(checked.json().at("checked"));
  EXPECT_GT(error(before_, truth), 0.1);
  EXPECT_LT(error(estimate(), truth), 0.05);
}

TEST_F(Learning, ARunTeachesToo) {
  const Ran ran =
      cli_.run(std::string("run") + kNetwork + "--rig sim:xavier --store sqlite:s.db --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_LT(error(estimate(), energy(ran.json().at("measurement"))), 0.05);
}

TEST_F(Learning, OfANetworkThatIsNotCoveredChangesNothing) {
  ASSERT_EQ(cli_.run("run har --rig sim:xavier --store sqlite:s.db").status, 0);
  EXPECT_EQ(estimate(), before_);
  EXPECT_EQ(ask("har").status, 3);
}

TEST_F(Learning, IsLeftOutWhenAskedTo) {
  const std::string quietly = std::string(kNetwork) + "--no-learning --rig sim:xavier";
  ASSERT_EQ(ask(quietly + " --check").status, 0);
  ASSERT_EQ(cli_.run("run --store sqlite:s.db" + quietly).status, 0);
  EXPECT_EQ(estimate(), before_);
  EXPECT_EQ(cli_.run(kProfile).status, 0);
  EXPECT_EQ(estimate(), before_) << "not when everything is fitted anew either";
}

// It became a kind of blocks once, and the profile claimed to know them.
TEST(NoLearning, LeavesAProfileThatAnswersByNoMethod) {
  const Cli cli;
  const Ran ran = cli.run("run cnn5 --no-learning --rig sim:xavier --store sqlite:s.db");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json profile = cli.run("profiles --store sqlite:s.db --json").json();
  EXPECT_EQ(profile.at("methods"), Json::array());
  EXPECT_EQ(profile.at("kinds"), 0);
  EXPECT_EQ(profile.at("points"), 0);
  EXPECT_EQ(profile.at("tests"), 1);
}

TEST_F(Learning, RefiningTimesTheNetworksOwnBlocksOnce) {
  const std::size_t known = timings();
  const Ran refined = ask(std::string(kNetwork) + "--refine --rig sim:xavier");
  ASSERT_EQ(refined.status, 0) << refined.err;
  EXPECT_EQ(refined.json().at("method"), "dual");
  EXPECT_NE(energy(refined.json()), energy(before_));
  const std::size_t timed = timings();
  EXPECT_GT(timed, known);
  EXPECT_LE(timed, known + 5) << "as many blocks as it has";
  EXPECT_EQ(estimate(), refined.json()) << "it stays known";
  EXPECT_EQ(ask(std::string(kNetwork) + "--refine --rig sim:xavier").out, refined.out);
  EXPECT_EQ(timings(), timed);
}

TEST_F(Learning, RefiningMeasuresNoNetwork) {
  const Json before = cli_.run("profiles --store sqlite:s.db --json").json();
  ASSERT_EQ(ask(std::string(kNetwork) + "--refine --rig sim:xavier").status, 0);
  EXPECT_EQ(cli_.run("profiles --store sqlite:s.db --json").json().at("points"),
            before.at("points"));
}

TEST_F(Learning, RefiningTimesNothingOfANetworkThatIsNotCovered) {
  const std::size_t known = timings();
  const Ran ran = ask("har --refine --rig sim:xavier");
  EXPECT_EQ(ran.status, 3);
  EXPECT_FALSE(ran.json().at("uncovered").empty());
  EXPECT_EQ(timings(), known);
}

TEST_F(Learning, RefiningIsForTheDeviceOfTheProfile) {
  const std::size_t known = timings();
  const Ran ran = ask(std::string(kNetwork) + "--refine --rig sim:tx2");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("no profile for"));
  EXPECT_EQ(timings(), known);
}

TEST(Refine, NeedsADualProfile) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --method ampere --rig sim:ideal --store sqlite:s.db").status,
            0);
  const Ran ran = cli.run("estimate lenet5 --refine --rig sim:ideal --store sqlite:s.db");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("--method dual"));
}

}  // namespace
}  // namespace ampere
