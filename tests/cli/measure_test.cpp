// `ampere measure` as it is used in scripts and terminals. The meter is a model whose joules follow
// from the time alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kTenWatts = "--meter modelled:static=10,core=0 ";

class Measure : public testing::Test {
 protected:
  Ran measure(const std::string& arguments, const std::string& input = "") const {
    return cli_.run(std::string("measure ") + kTenWatts + arguments, input);
  }

  // Starts measuring, does `action` with $pid as our process once the command has made the file
  // "started", and ends with our status.
  Ran disturb(const std::string& arguments, const std::string& action) const {
    return cli_.shell("set -m\nenv -u AMPERE \"$AMPERE\" measure " + std::string(kTenWatts) +
                      arguments +
                      " &\npid=$!\nuntil [ -e started ]; do sleep 0.02; done\nsleep 0.1\n" +
                      action + "\nwait $pid");
  }

  std::vector<std::string> lines(const std::string& file) const {
    std::vector<std::string> lines = split(cli_.read(file), '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }

  Cli cli_;
};

TEST_F(Measure, PassesTheExitStatusOn) {
  for (const int status : {0, 1, 7, 255})
    EXPECT_EQ(measure("-- sh -c 'exit " + std::to_string(status) + "'").status, status);
}

// The period of this meter is 10 ms.
TEST_F(Measure, ACommandTooShortForTheMeterHasItsOwnStatusAndNoEnergy) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "skipped: with the sanitizer, starting a command takes longer than the period";
#endif
  const std::string measured = "measure --meter modelled:cpu=machine ";
  const Ran ran = cli_.run(measured + "--json -- true");
  EXPECT_EQ(ran.status, 0) << ran.err;
  const Json run = ran.json().at("runs").at(0);
  EXPECT_TRUE(run.at("energy_j").is_null());
  EXPECT_THAT(run.at("reason").get<std::string>(),
              AllOf(HasSubstr("shorter than the period"), HasSubstr("takes longer")));
  EXPECT_EQ(run.at("exit_status"), 0);
  const Ran text = cli_.run(measured + "-- true");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.err, AllOf(HasSubstr("energy unknown: "), HasSubstr("time    ")));
  EXPECT_EQ(cli_.run(measured + "-- sh -c 'exit 7'").status, 7);
  EXPECT_EQ(cli_.run(measured + "--json --repeat 3 -- true").json().at("runs").size(), 3U);
}

// Whoever can make a link in a shared folder must not choose what is overwritten.
TEST_F(Measure, DoesNotWriteThroughALink) {
  cli_.write("precious", "kept");
  std::filesystem::create_symlink("precious", cli_.path("link"));
  const Ran refused = measure("--trace link -- touch ran");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("link cannot be written: it is a symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(cli_.path("ran")));
  EXPECT_EQ(measure("--output link -- true").status, 0);
  EXPECT_FALSE(std::filesystem::is_symlink(cli_.path("link"))) << "replaced";
  EXPECT_NE(cli_.read("link"), "");
  EXPECT_EQ(cli_.read("precious"), "kept");
  EXPECT_THAT(measure("--interval 0.01 --trace /dev/stdout -- sleep 0.1").out,
              HasSubstr("time_s,power_w"));
}

TEST_F(Measure, SaysWhichSignalKilledTheCommand) {
  const Ran ran = measure("-- sh -c 'kill -KILL $$'");
  EXPECT_EQ(ran.status, 137);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("killed by SIGKILL"), HasSubstr("energy")));
}

TEST_F(Measure, TellsACommandThatIsNotThereFromOneThatCannotBeRun) {
  const Ran missing = measure("-- no-such-command");
  EXPECT_EQ(missing.status, 127);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("no-such-command"), HasSubstr("PATH")));
  EXPECT_EQ(measure("-- ./no/such/file").status, 127);
  cli_.write("text", "no program\n");
  const Ran text = measure("-- ./text");
  EXPECT_EQ(text.status, 126);
  EXPECT_THAT(text.err, HasSubstr("Permission denied"));
  EXPECT_EQ(measure("-- /").status, 126);
}

TEST_F(Measure, LeavesTheCommandsOutputAlone) {
  const Ran ran = measure("-- sh -c 'echo out; echo err >&2'");
  EXPECT_EQ(ran.out, "out\n");
  EXPECT_THAT(ran.err, AllOf(StartsWith("err\n"), HasSubstr("energy  "), HasSubstr("modelled")));
}

TEST_F(Measure, PassesInputThrough) {
  EXPECT_EQ(measure("-- cat", "some\0bytes\n").out, std::string("some\0bytes\n"));
}

TEST_F(Measure, PassesMegabytesThrough) {
  const Ran ran = cli_.shell("head -c 20000000 /dev/zero | ampere measure " +
                             std::string(kTenWatts) + "-- cat | wc -c");
  EXPECT_EQ(parse_integer(trim(ran.out), "bytes"), 20000000);
}

TEST_F(Measure, LeavesTheCommandsOptionsAlone) {
  const std::string words = "--json --meter -x '[a,b]' -- '' 'a b'";
  const std::string expected = "<--json><--meter><-x><[a,b]><--><><a b>";
  EXPECT_EQ(measure("-- printf '<%s>' " + words).out, expected);
  EXPECT_EQ(measure("printf '<%s>' " + words).out, expected) << "without a first --";
}

TEST_F(Measure, TakesACommandOfAnyBytes) {
  const Ran ran = measure("--json -- printf $'\\xff\\n'");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("\xff\n{\"command\":[\"printf\""));
}

TEST_F(Measure, DescribesARunInJson) {
  const Ran ran = measure("--json -- sleep 0.3");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("command"), (Json{"sleep", "0.3"}));
  EXPECT_EQ(json.at("source"), "modelled");
  EXPECT_EQ(json.at("meter").at("name"), "modelled:static=10,core=0");
  EXPECT_TRUE(json.at("idle").is_null());
  EXPECT_FALSE(json.at("interrupted").get<bool>());
  const Json& run = json.at("runs").at(0);
  const double time_s = run.at("time_s"), energy_j = run.at("energy_j");
  EXPECT_GE(time_s, 0.3);
  EXPECT_NEAR(energy_j, 10 * time_s, 1e-6);
  EXPECT_NEAR(run.at("power_w").at("mean").get<double>(), 10, 1e-6);
  EXPECT_NEAR(run.at("power_w").at("peak").get<double>(), 10, 1e-3);
  EXPECT_EQ(run.at("energy_j_by_domain").size(), 1U);
  EXPECT_TRUE(run.at("uncertainty").is_null()) << "nobody knows the error of a model";
  EXPECT_TRUE(run.at("net_j").is_null());
  EXPECT_EQ(run.at("exit_status"), 0);
  EXPECT_EQ(json.at("energy_j").at("mean"), run.at("energy_j"));
  EXPECT_TRUE(json.at("energy_j").at("stddev").is_null()) << "one run has no spread";
}

TEST_F(Measure, WritesJsonAfterWhatTheCommandWrote) {
  const Ran ran = measure("--json -- echo first");
  EXPECT_THAT(ran.out, StartsWith("first\n{"));
  EXPECT_THAT(ran.err, Not(HasSubstr("energy")));
  const Ran apart = measure("--output result.json -- echo only");
  EXPECT_EQ(apart.out, "only\n");
  EXPECT_EQ(Json::parse(cli_.read("result.json")).at("runs").size(), 1U);
}

TEST_F(Measure, RepeatsAndSaysTheSpread) {
  const Json json = measure("--repeat 3 --json -- sleep 0.02").json();
  ASSERT_EQ(json.at("runs").size(), 3U);
  double sum = 0, least = 1e9, most = 0;
  for (const Json& run : json.at("runs")) {
    const double energy = run.at("energy_j");
    sum += energy;
    least = std::min(least, energy);
    most = std::max(most, energy);
  }
  EXPECT_NEAR(json.at("energy_j").at("mean").get<double>(), sum / 3, 1e-9);
  EXPECT_LE(json.at("energy_j").at("stddev").get<double>(), most - least);
  EXPECT_GT(json.at("time_s").at("stddev").get<double>(), 0);
  EXPECT_THAT(measure("--repeat 2 -- true").err, HasSubstr("mean of 2"));
}

TEST_F(Measure, StopsRepeatingWhenARunFails) {
  const Ran ran =
      measure("--repeat 5 --json -- sh -c 'echo >>runs; [ $(wc -l <runs) -lt 3 ] || exit 9'");
  EXPECT_EQ(ran.status, 9);
  const Json json = ran.json();
  ASSERT_EQ(json.at("runs").size(), 3U);
  EXPECT_EQ(json.at("runs").at(2).at("exit_status"), 9);
}

TEST_F(Measure, TakesTheIdlePowerOff) {
  const Ran ran = measure("--idle 0.2 --json -- sleep 0.2");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json(), run = json.at("runs").at(0);
  EXPECT_NEAR(json.at("idle").at("power_w").get<double>(), 10, 1e-6);
  EXPECT_GE(json.at("idle").at("time_s").get<double>(), 0.2);
  EXPECT_NEAR(run.at("net_j").get<double>(), 0, 1e-6) << "the model idles like it works";
  EXPECT_EQ(run.at("net_j_by_domain").size(), 1U);
  EXPECT_THAT(measure("--idle 0.05 -- true").err, AllOf(HasSubstr("idle "), HasSubstr("net ")));
}

TEST_F(Measure, WritesATraceOfPower) {
  ASSERT_EQ(measure("--trace t.csv --interval 0.02 -- sleep 0.3").status, 0);
  const std::vector<std::string> trace = lines("t.csv");
  ASSERT_GE(trace.size(), 6U);
  EXPECT_EQ(trace[0], "# source: modelled");
  EXPECT_THAT(trace[1], StartsWith("# meter: modelled:static=10,core=0 ("));
  EXPECT_EQ(trace[2], "time_s,power_w,cpu (modelled)_w");
  double last = 0;
  for (std::size_t i = 3; i < trace.size(); ++i) {
    const std::vector<std::string> fields = split(trace[i], ',');
    ASSERT_EQ(fields.size(), 3U) << trace[i];
    const double time = parse_number(fields[0], "time");
    EXPECT_GT(time, last);
    last = time;
    EXPECT_NEAR(parse_number(fields[1], "power"), 10, 1e-3);
  }
}

TEST_F(Measure, LosesNothingOfTheTraceWhenKilled) {
  const Ran ran =
      disturb("--trace t.csv --interval 0.01 -- sh -c 'echo $$ >started; exec sleep 30'",
              "kill -KILL $pid; kill $(<started)");
  EXPECT_EQ(ran.status, 137);
  const std::vector<std::string> trace = lines("t.csv");
  ASSERT_GE(trace.size(), 5U);
  EXPECT_EQ(split(trace.back(), ',').size(), 3U);
}

TEST_F(Measure, WritesATraceThatIsAMeterAgain) {
  ASSERT_EQ(measure("--trace t.csv --interval 0.02 -- sleep 0.5").status, 0);
  const Ran ran = cli_.run("measure --meter replay:t.csv --json -- sleep 0.2");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("source"), "modelled") << "a replay does not make it measured";
  EXPECT_NEAR(ran.json().at("runs").at(0).at("power_w").at("mean").get<double>(), 10, 0.1);
}

TEST_F(Measure, ReportsWhatIsKnownWhenTheMeterEndsMidway) {
  std::string trace = "time_s,power_w\n";
  for (int i = 0; i <= 30; ++i) trace += std::to_string(i * 0.01) + ",50\n";
  cli_.write("short.csv", trace);
  const Ran ran = cli_.run("measure --repeat 2 --meter replay:short.csv --json -- sleep 0.6");
  EXPECT_EQ(ran.status, 1) << ran.err;
  ASSERT_EQ(ran.json().at("runs").size(), 1U);
  const Json run = ran.json().at("runs").at(0);
  EXPECT_TRUE(run.at("energy_j").is_null());
  EXPECT_THAT(run.at("reason").get<std::string>(), HasSubstr("short.csv"));
  EXPECT_NEAR(run.at("known_part").at("energy_j").get<double>() /
                  run.at("known_part").at("time_s").get<double>(),
              50, 0.5);
  EXPECT_TRUE(ran.json().at("energy_j").is_null());
  const Ran text = cli_.run("measure --meter replay:short.csv -- sleep 0.6");
  EXPECT_THAT(text.err, AllOf(HasSubstr("energy unknown: "), HasSubstr("known: ")));
}

TEST_F(Measure, SaysWhatIsWrongBeforeTheCommandRuns) {
  for (const auto& [arguments, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "nothing to measure: no command is given (it follows --)"},
           {"--", "nothing to measure"},
           {"-- ''", "nothing to measure"},
           {"--repeat 0 -- touch ran", "--repeat: 0 is not between 1 and"},
           {"--repeat many -- touch ran", "--repeat"},
           {"--idle -1 -- touch ran", "--idle: -1 is not above 0"},
           {"--idle 0 -- touch ran", "--idle: 0"},
           {"--idle nan -- touch ran", "--idle: 'nan' is not a number above 0"},
           {"--interval 0 -- touch ran", "--interval: 0 is not between 0.001 and"},
           {"--trace no/such/folder.csv -- touch ran", "no/such/folder.csv"},
           {"--output no/such/folder.json -- touch ran", "no/such/folder.json"},
           {"--interval -- touch ran", "--interval"}}) {
    const Ran ran = measure(arguments);
    EXPECT_EQ(ran.status, 2) << arguments;
    EXPECT_THAT(ran.err, HasSubstr(words)) << arguments;
  }
  EXPECT_EQ(cli_.run("measure --meter no-such-meter -- touch ran").status, 2);
  EXPECT_FALSE(std::filesystem::exists(cli_.path("ran")));
}

TEST_F(Measure, MayNotWriteATraceWhereTheSystemRefuses) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  EXPECT_EQ(measure("--trace /etc/ampere-trace.csv -- true").status, 4);
}

// The command counts the signals it gets: each must reach it once, whoever it was sent to.
constexpr const char* kCounts =
    R"(-- bash -c 'trap "echo got >>signals" INT TERM HUP; touch started; for i in {1..20}; do sleep 0.05; done')";

TEST_F(Measure, PassesOnASignalThatOnlyWeGot) {
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    std::filesystem::remove(cli_.path("started"));
    std::filesystem::remove(cli_.path("signals"));
    disturb(kCounts, "kill -" + signal + " $pid");
    ASSERT_TRUE(std::filesystem::exists(cli_.path("signals"))) << signal;
    EXPECT_EQ(lines("signals").size(), 1U) << signal;
  }
}

TEST_F(Measure, DoesNotRepeatASignalThatTheWholeGroupGot) {
  const Ran ran = disturb(kCounts, "kill -INT -- -$pid");
  EXPECT_EQ(lines("signals").size(), 1U);
  EXPECT_EQ(ran.status, 130);
}

TEST_F(Measure, ReportsWhatItHasAfterCtrlC) {
  for (const std::string target : {"-- -$pid", "$pid"}) {
    std::filesystem::remove(cli_.path("started"));
    const Ran ran =
        disturb("--repeat 3 --json -- sh -c 'touch started; exec sleep 30'", "kill -INT " + target);
    EXPECT_EQ(ran.status, 130) << ran.err;
    const Json json = ran.json();
    EXPECT_TRUE(json.at("interrupted").get<bool>());
    ASSERT_EQ(json.at("runs").size(), 1U);
    EXPECT_GT(json.at("runs").at(0).at("energy_j").get<double>(), 0);
    EXPECT_EQ(json.at("runs").at(0).at("signal"), "SIGINT");
  }
}

TEST_F(Measure, ReportsWhatItHasWhenToldToEnd) {
  const Ran ran = disturb("-- sh -c 'touch started; exec sleep 30'", "kill -TERM $pid");
  EXPECT_EQ(ran.status, 143);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("stopped by SIGTERM"), HasSubstr("energy  ")));
}

TEST_F(Measure, StopsWhileItIdles) {
  const Ran ran = cli_.shell("env -u AMPERE \"$AMPERE\" measure " + std::string(kTenWatts) +
                             "--trace t.csv --idle 30 -- touch ran & pid=$!\n"
                             "until [ -s t.csv ]; do sleep 0.02; done\nkill -INT $pid\nwait $pid");
  EXPECT_EQ(ran.status, 130);
  EXPECT_FALSE(std::filesystem::exists(cli_.path("ran")));
  EXPECT_THAT(ran.err, HasSubstr("stopped by SIGINT"));
}

TEST_F(Measure, GoesOnAfterBeingStopped) {
  const Ran ran = disturb("--json -- sh -c 'touch started; sleep 0.4; echo done'",
                          "kill -TSTP -- -$pid; sleep 0.2; kill -CONT -- -$pid");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(StartsWith("done\n"), HasSubstr("energy_j")));
}

TEST_F(Measure, IgnoresAHangUpThatItsUserIgnores) {
  const Ran ran =
      cli_.shell("trap '' HUP\nenv -u AMPERE \"$AMPERE\" measure " + std::string(kTenWatts) +
                 "-- sh -c 'touch started; sleep 0.4; echo done' & pid=$!\n"
                 "until [ -e started ]; do sleep 0.02; done\nkill -HUP $pid\nwait $pid");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "done\n");
}

TEST_F(Measure, DoesNotWaitForWhatTheCommandLeftBehind) {
  const Ran ran = measure("-- sh -c 'sleep 1000 >/dev/null 2>&1 & echo $! >left'");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(cli_.shell("kill $(<left)").status, 0) << "it should still run";
}

TEST_F(Measure, ChoosesAMeterAndSaysWhich) {
  const Ran ran = cli_.run("measure --json -- sleep 0.3");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_THAT(ran.err, HasSubstr(json.at("meter").at("name").get<std::string>()));
  if (json.at("source") == "modelled") {
    EXPECT_THAT(ran.err, HasSubstr("joules are modelled"));
  }
}

}  // namespace
}  // namespace ampere
