// Small things that make the command line pleasant: colours, names, plurals, plans that hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

// `script` runs a command on a terminal of its own.
bool has_terminal(const Cli& cli) { return cli.shell("command -v script").status == 0; }

std::string on_terminal(const Cli& cli, const std::string& arguments) {
  return cli
      .shell(
          "unset FAKE_RUNNER; program=$AMPERE; unset AMPERE\n"
          "script -qec \"$program " +
          arguments + "\" /dev/null < /dev/null")
      .out;
}

TEST(Colours, AreForHeadingsAndErrorsOnATerminal) {
  Cli cli;
  if (!has_terminal(cli)) GTEST_SKIP() << "there is no `script`";
  cli.environment["TERM"] = "xterm";
  EXPECT_THAT(on_terminal(cli, "models"), HasSubstr("\033[1mname"));
  EXPECT_THAT(on_terminal(cli, "show no-such-model"), HasSubstr("\033[31mampere:\033[0m"));
}

TEST(Colours, AreOffWhereTheyAreNotWanted) {
  Cli cli;
  EXPECT_THAT(cli.run("models").out, Not(HasSubstr("\033")));
  if (!has_terminal(cli)) GTEST_SKIP() << "there is no `script`";
  EXPECT_THAT(on_terminal(cli, "models"), Not(HasSubstr("\033"))) << "TERM is not set";
  cli.environment["TERM"] = "dumb";
  EXPECT_THAT(on_terminal(cli, "models"), Not(HasSubstr("\033")));
  cli.environment["TERM"] = "xterm";
  cli.environment["NO_COLOR"] = "1";
  EXPECT_THAT(on_terminal(cli, "models"), Not(HasSubstr("\033")));
}

TEST(Names, OfNetworksAndRigsMayBeWrittenInAnyCase) {
  const Cli cli;
  EXPECT_EQ(cli.run("show LeNet5 --json").out, cli.run("show lenet5 --json").out);
  EXPECT_EQ(cli.run("show CNN5:8,16,32,64 --json").out, cli.run("show cnn5:8,16,32,64 --json").out);
  const Ran ran = cli.run("run LeNet5 --rig Sim:Xavier --store sqlite:s.db --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(
      cli.run("evaluate LeNet5 --networks 3 --method flops --rig sim:IDEAL --store memory:").status,
      0);
  EXPECT_THAT(cli.run("show LeNet6").err, HasSubstr("did you mean 'lenet5'?"));
}

TEST(ProfilesList, LeavesOutProfilesOfSinglePasses) {
  const Cli cli;
  ASSERT_EQ(cli.run("evaluate lenet5 --networks 3 --rig sim:ideal --store "
                    "sqlite:s.db")
                .status,
            0);
  EXPECT_THAT(cli.run("profiles --store sqlite:s.db").out, Not(HasSubstr(" alone")));
  EXPECT_THAT(cli.run("profiles --all --store sqlite:s.db").out, HasSubstr(" alone"));
}

TEST(Plurals, OneIsOne) {
  const Cli cli;
  EXPECT_THAT(cli.run("profile lenet5 --timings 60 --networks 1 --rig sim:ideal --dry-run").out,
              HasSubstr(" blocks to time alone and "));
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
  EXPECT_THAT(cli.run("doctor --store sqlite:s.db").out, Not(HasSubstr("1 profiles")));
}

TEST(Vocabulary, ExportTakesAnIdAndOutputIsAFile) {
  const Cli cli;
  ASSERT_EQ(cli.run("kernels measure alexnet --configurations 20 --rig sim:oppo --store "
                    "sqlite:s.db")
                .status,
            0);
  for (const std::string arguments :
       {"profiles export 1 --output a", "kernels export 1 --output b",
        "kernels export --profile 1 --output c", "kernels export --output d"}) {
    const Ran ran = cli.run(arguments + " --store sqlite:s.db");
    EXPECT_EQ(ran.status, 0) << arguments << ": " << ran.err;
  }
  EXPECT_EQ(cli.read("b"), cli.read("c"));
  EXPECT_EQ(cli.read("b"), cli.read("d"));
  EXPECT_EQ(cli.run("kernels export 9 --store sqlite:s.db").status, 3);
  ASSERT_EQ(cli.run("score alexnet --rig sim:oppo --delegates CPU --store sqlite:s.db").status, 0);
  ASSERT_EQ(cli.run("score --output e --store sqlite:s.db").status, 0);
  ASSERT_EQ(cli.run("score --export f --store sqlite:s.db").status, 0);
  EXPECT_EQ(cli.read("e"), cli.read("f"));
  const Ran refused = cli.run("score net.onnx --output x --store sqlite:s.db");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--onnx-output"));
}

// On a simulated device a plan can be rehearsed, and what it comes to does not depend on the
// machine.
class PlannedPoints : public testing::TestWithParam<const char*> {};

TEST_P(PlannedPoints, AreThoseThatAreMeasuredWithinAFifth) {
  const Cli cli;
  const std::string profile = std::string(
                                  "profile lenet5 --method ampere --json --store "
                                  "sqlite:s.db --rig ") +
                              GetParam();
  const Json planned = cli.run(profile + " --dry-run").json();
  const Ran ran = cli.run(profile);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const double measured = ran.json().at("measured");
  EXPECT_NEAR(planned.at("about_points").get<double>(), measured, 0.2 * measured);
  EXPECT_LE(measured, planned.at("at_most_points").get<double>());
  const Json left = cli.run(profile + " --dry-run").json();
  EXPECT_EQ(left.at("about_points"), 0) << "all of it is there";
}

INSTANTIATE_TEST_SUITE_P(Cli, PlannedPoints,
                         testing::Values("sim:xavier", "sim:server", "sim:ideal"));

TEST(OutOfMemory, IsAMessageAndAFailure) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "skipped: the sanitizer itself needs more address space than the limit leaves";
#endif
  const Cli cli;
  ASSERT_EQ(cli.shell("head -c 200000000 /dev/zero | tr '\\0' '[' > big.json").status, 0);
  const Ran ran = cli.shell("ulimit -v 150000; ampere show big.json");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("ampere: out of memory"), Not(HasSubstr("bad_alloc"))));
}

}  // namespace
}  // namespace ampere
