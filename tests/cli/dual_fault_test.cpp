// A dual profile that is stopped in the middle: nothing finished is lost, and going on ends where
// one that was left alone ends. The runner is a shell script that can time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

// What a network costs is the length of its description; action.sh may do something first.
constexpr const char* kRunner = R"sh(
echo '{"ampere_runner":1,"device":{"name":"script","source":"simulated"},"abilities":["measure","timing"]}'
while IFS= read -r request; do
  [[ $request =~ \"id\":\ *([0-9]+) ]] || exit 0
  id=${BASH_REMATCH[1]}
  cost=$(( 1000 + ${#request} - ${#id} ))
  . ./action.sh
  if [[ $request == *'"time"'* ]]; then
    echo timing >>answered
    echo "{\"id\":$id,\"timing\":{\"device_s\":0.00$cost,\"host_s\":0.0001,\"elapsed_s\":0.02}}"
  else
    echo network >>answered
    window="{\"iterations\":100,\"time_s\":0.$cost,\"energy_j\":2.$cost}"
    echo "{\"id\":$id,\"measurement\":{\"windows\":[$window,$window],\"source\":\"simulated\",\"elapsed_s\":1.0}}"
  fi
done
)sh";

class DualFault : public testing::Test {
 protected:
  void SetUp() override { cli_.write("runner.sh", kRunner); }

  std::string profile(const std::string& action, const std::string& store) const {
    cli_.write("action.sh", action);
    cli_.write("answered", "");
    return "profile lenet5 --json --timings 60 --networks 10 --rig 'cmd:bash runner.sh' --store "
           "sqlite:" +
           store;
  }

  // Sends a signal to the profile when it asks for the n-th answer.
  Ran stop(const std::string& signal, int at) const {
    const std::string action = "if [ $(wc -l <answered) = " + std::to_string(at) +
                               " ]; then kill -" + signal + " $(<pid); sleep 0.2; fi";
    return cli_.shell("env -u AMPERE -u FAKE_RUNNER \"$AMPERE\" " + profile(action, "s.db") +
                      " & echo $! >pid; wait $!");
  }

  struct Kept {
    std::size_t timings = 0, networks = 0;
  };
  Kept kept() const {
    const Json json = cli_.run("profiles export 1 --store sqlite:s.db").json();
    return {json.at("timings").size(), json.at("observations").size()};
  }

  std::string estimate(const std::string& store) const {
    return cli_.run("estimate lenet5 lenet5:2,4,8,16 --json --store sqlite:" + store).out;
  }

  // Goes on and ends as one that nobody stopped.
  void expect_goes_on(const Kept& kept) const {
    const Json whole = cli_.run(profile(":", "whole.db")).json();
    const Ran rest = cli_.run(profile(":", "s.db"));
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_EQ(rest.json().at("timed").get<std::size_t>() + kept.timings,
              whole.at("timed").get<std::size_t>());
    EXPECT_EQ(rest.json().at("measured").get<std::size_t>() + kept.networks,
              whole.at("measured").get<std::size_t>());
    EXPECT_EQ(estimate("s.db"), estimate("whole.db"));
    EXPECT_THAT(estimate("s.db"), HasSubstr(R"("method":"dual")"));
  }

  const Cli cli_;
};

constexpr int kAmongNetworks = 7;  // answers: each network is measured and then timed
constexpr int kAmongBlocks = 62;

TEST_F(DualFault, KilledAmongNetworksItLosesNothingFinished) {
  EXPECT_EQ(stop("KILL", kAmongNetworks).status, 137);
  const Kept before = kept();
  EXPECT_EQ(before.networks, 3u) << "the fourth was measured and not timed";
  expect_goes_on(before);
}

TEST_F(DualFault, KilledAmongBlocksItLosesLessThanItTakesToSay) {
  EXPECT_EQ(stop("KILL", kAmongBlocks).status, 137);
  const Kept before = kept();
  EXPECT_GE(before.timings, 16u);
  EXPECT_LT(before.timings, 60u);
  expect_goes_on(before);
}

TEST_F(DualFault, InterruptedItKeepsEveryTiming) {
  const Ran stopped = stop("INT", kAmongBlocks);
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("interrupted"));
  const Kept before = kept();
  const std::size_t networks = before.networks;
  EXPECT_GE(before.timings, kAmongBlocks - 2 * networks) << "all but the one it was stopped in";
  EXPECT_LT(before.timings, 60u);
  expect_goes_on(before);
}

TEST_F(DualFault, InterruptedAmongNetworksItEndsWith130) {
  const Ran stopped = stop("INT", kAmongNetworks);
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_GE(kept().networks, 3u);
  EXPECT_EQ(cli_.run("estimate lenet5 --store sqlite:s.db").status, 3) << "too little, and said so";
}

TEST_F(DualFault, ARunnerThatDiesIsAFailureAndStartedAgain) {
  const Ran ran = cli_.run(profile(
      "if [ $(wc -l <answered) = 40 ]; then echo failure >>answered; kill -9 $$; fi", "s.db"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("failed"), 1);
  EXPECT_EQ(ran.json().at("timed"), 60 + 8 - 1);
  EXPECT_THAT(ran.err, HasSubstr("warning"));
  EXPECT_EQ(cli_.run("estimate lenet5 --store sqlite:s.db").status, 0);
}

TEST_F(DualFault, TwoProfilesAtOnceShareAStore) {
  const std::string command = "ampere " + profile(":", "s.db");
  const Ran ran = cli_.shell(command + " >one & " + command + " >two && wait $!");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(cli_.run("estimate lenet5 --store sqlite:s.db --json").json().at("method"), "dual");
}

TEST_F(DualFault, AFullDiskEndsTheProfileWithItsReason) {
  const Ran ran = cli_.shell("trap '' XFSZ; ulimit -f 100; ampere " + profile(":", "s.db"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("s.db"));
}

TEST_F(DualFault, ATimeLimitStopsBetweenTwoAndTheSameCommandGoesOn) {
  const Ran limited = cli_.run(profile("sleep 0.05", "s.db") + " --time-limit 1");
  ASSERT_EQ(limited.status, 0) << limited.err;
  EXPECT_EQ(limited.json().at("stopped_by_time_limit"), true);
  const Kept before = kept();
  EXPECT_GT(before.networks, 0u);
  EXPECT_LT(before.timings, 60u);
  const Ran rest = cli_.run(profile(":", "s.db"));
  EXPECT_EQ(rest.json().at("stopped_by_time_limit"), false);
  EXPECT_EQ(rest.json().at("timed").get<std::size_t>() + before.timings, 60u + 8);
}

}  // namespace
}  // namespace ampere
