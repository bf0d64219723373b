// What goes wrong while measuring: the runner dies, the user stops it, the machine is switched off.
// The runner here is a shell script, written from the protocol's page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

// Answers every request with the same windows, after doing what action.sh says.
constexpr const char* kFaultyRunner = R"sh(
echo '{"ampere_runner":1,"device":{"name":"script","source":"simulated"},"abilities":["measure"]}'
window='{"iterations":100,"time_s":1.0,"energy_j":2.0}'
while IFS= read -r request; do
  case "$request" in *'"measure"'*) ;; *) exit 0 ;; esac
  id=$(sed 's/.*"id": *\([0-9]*\).*/\1/' <<<"$request")
  . ./action.sh
  echo "{\"id\":$id,\"measurement\":{\"windows\":[$window,$window,$window],\"source\":\"simulated\",\"elapsed_s\":3.0,
    \"energy_j_per_iteration\":{\"mean\":0.02,\"standard_error\":0.0001},
    \"time_s_per_iteration\":{\"mean\":0.01,\"standard_error\":0.0001},\"notes\":[]}}" | tr -d '\n'
  echo
done
)sh";

class Fault : public testing::Test {
 protected:
  void SetUp() override { cli_.write("runner.sh", kFaultyRunner); }

  // Profiling lenet5 with a runner that does `action` before each answer.
  std::string profile(const std::string& action, const std::string& store = "s.db") const {
    cli_.write("action.sh", action);
    return "profile lenet5 --json --rig 'cmd:bash runner.sh' --store sqlite:" + store;
  }

  int stored() const {
    const Ran ran = cli_.run("profiles --json --store sqlite:s.db");
    return ran.out.empty() ? 0 : ran.json().at("points").get<int>();
  }

  Cli cli_;
};

TEST_F(Fault, AScriptIsARunner) {
  const Ran ran = cli_.run(profile(":"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("device").at("name"), "script");
  EXPECT_EQ(stored(), ran.json().at("measured").get<int>());
}

// One such energy would bend, or hang, everything that is fitted to it.
TEST_F(Fault, AnAbsurdEnergyIsAFailureThatSaysWhy) {
  cli_.write("count", "0");
  const Ran ran = cli_.run(profile(R"(n=$(<count); echo $((n+1)) >count; energy=2.0
[ $n != 3 ] || energy=1e160
window="{\"iterations\":100,\"time_s\":1.0,\"energy_j\":$energy}")"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("failed"), 1);
  EXPECT_THAT(ran.err, testing::AllOf(HasSubstr("1e+160 W"), HasSubstr("broken")));
  EXPECT_EQ(cli_.run("profiles --json --store sqlite:s.db").json().at("failures"), 1);
}

TEST_F(Fault, AProfileInWhichEverythingFailedIsAFailure) {
  const Ran ran = cli_.run(profile("kill -9 $$"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_GT(ran.json().at("failed").get<int>(), 1);
  int said = 0;
  const Json json = ran.json();
  for (const Json& warning : json.at("warnings"))
    said += warning.get<std::string>().find("measurements failed") != std::string::npos;
  EXPECT_EQ(said, 1) << "one warning, with a count";
  EXPECT_THAT(ran.err, HasSubstr("nothing can be estimated"));
  const Ran again = cli_.run(profile(":"));
  EXPECT_EQ(again.status, 1) << "failures are kept";
}

TEST_F(Fault, ARunnerThatDiesIsRecordedAndStartedAgain) {
  cli_.write("count", "0");
  const Ran ran = cli_.run(profile("n=$(<count); echo $((n+1)) >count; [ $n != 3 ] || kill -9 $$"));
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("failed"), 1);
  EXPECT_GT(ran.json().at("measured").get<int>(), 10);
  EXPECT_THAT(ran.json().at("warnings").dump(), HasSubstr("at one point failed"));
  EXPECT_EQ(cli_.run("profiles --json --store sqlite:s.db").json().at("failures"), 1);
}

TEST_F(Fault, InterruptedItKeepsWhatItHasAndGoesOnLater) {
  const int whole = cli_.run(profile(":", "whole.db")).json().at("measured");
  const Ran stopped = cli_.shell("env -u AMPERE \"$AMPERE\" " + profile("sleep 0.1") +
                                 " & sleep 1; kill -INT $!; wait $!");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("interrupted"));
  const int kept = stored();
  EXPECT_GT(kept, 0);
  const Ran again = cli_.run(profile(":"));
  EXPECT_EQ(again.json().at("measured").get<int>() + kept, whole);
}

TEST_F(Fault, KilledItLosesNothingFinished) {
  const int whole = cli_.run(profile(":", "whole.db")).json().at("measured");
  const Ran killed =
      cli_.shell("env -u AMPERE \"$AMPERE\" " + profile("echo >>answered; sleep 0.1") +
                 " & sleep 1; kill -KILL $!; wait $!");
  EXPECT_EQ(killed.status, 137);
  const int kept = stored();
  EXPECT_GT(kept, 0);
  EXPECT_GE(kept + 1, std::ranges::count(cli_.read("answered"), '\n') - 1);
  const Ran again = cli_.run(profile(":"));
  EXPECT_EQ(again.json().at("measured").get<int>() + kept, whole);
}

TEST_F(Fault, TwoProfilesAtOnceShareAStore) {
  const Ran ran = cli_.shell("ampere " + profile(":") + " >one & ampere " + profile(":") +
                             " >two; wait $! && cat one two");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(cli_.run("estimate lenet5 --store sqlite:s.db --json").status, 0);
}

TEST_F(Fault, ARunnerOfAnotherVersionIsNamed) {
  const Ran ran = cli_.run(
      "profile lenet5 --store sqlite:s.db --rig \"cmd:echo '{\\\"ampere_runner\\\":99}'\"");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("99"));
}

TEST_F(Fault, ACommandThatIsNoRunnerShowsWhatItSaid) {
  const Ran ran = cli_.run(
      "profile lenet5 --store sqlite:s.db "
      "--rig 'cmd:sh -c \"echo no such host >&2; exit 7\"'");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("no such host"));
}

TEST_F(Fault, AFullDiskEndsTheProfileWithItsReason) {
  // A file size limit is what a full disk looks like to the program.
  const Ran ran = cli_.shell("trap '' XFSZ; ulimit -f 100; ampere " + profile(":"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("s.db"));
}

}  // namespace
}  // namespace ampere
