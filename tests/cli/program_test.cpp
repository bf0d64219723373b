// Programs on the command line: traced through a runner and its worker, shown, and refused where a
// model is needed.
#include <gmock/gmock.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::kTwoBlocks;
using testing_support::Ran;

class TraceCommand : public testing::Test {
 protected:
  Ran trace(const std::string& arguments) const {
    return cli.shell("\"$AMPERE\" trace " + arguments + " --rig \"cmd:$FAKE_RUNNER worker\"");
  }
  Cli cli;
};

TEST_F(TraceCommand, WritesAFileNamedAfterTheModel) {
  const Ran ran = trace("lenet5:2,4,8,16 --precision bf16 --batch 4");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "lenet5.program: 1 step of 1 distinct operation, 576 FLOPs and 576 B moved per "
            "iteration\nnote: traced by nobody\n");
  EXPECT_EQ(ran.err, "");
  const Json shown = cli.run("show lenet5.program --json").json();
  EXPECT_EQ(shown.at("name"), "lenet5:2,4,8,16");
  EXPECT_EQ(shown.at("setup").at("precision"), "bf16");
  EXPECT_EQ(shown.at("setup").at("batch"), 4);
}

TEST_F(TraceCommand, TakesScriptsAndTheWay) {
  cli.write("train.py", "");
  const Ran ran = trace("train.py:mine --arg batch=8 --way run -o my.program --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("file"), "my.program");
  EXPECT_EQ(ran.json().at("name"), "mine");
  EXPECT_EQ(ran.json().at("way"), "run");
  EXPECT_EQ(trace("train.py").status, 0);
  EXPECT_EQ(cli.run("show train.program").status, 0) << "named after the script";
}

TEST(ShowProgram, NamesWhatWasSeenOfACompiledStep) {
  const Cli cli;
  cli.write("x.program",
            R"({"format": "ampere-program", "version": 1, "name": "x",
                "origin": {"way": "kernels", "device": "cuda"},
                "tensors": [["fp32", [8]]],
                "operations": [{"name": "triton_poi_fused_add", "arguments": [{"tensor": 0}]}],
                "steps": [[0, 0, 0], [0, 2, 0]],
                "seen": {"device": "NVIDIA H200", "host_s": 0.02, "operations_s": [0.001]}})");
  const Ran ran = cli.run("show x.program");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("what a compiled step launched, for cuda"));
  EXPECT_THAT(ran.out, HasSubstr("seen on NVIDIA H200: 2.00 ms of the device and 20.0 ms of the "
                                 "host per iteration"));
  EXPECT_EQ(cli.run("show x.program --json").json().at("seen").at("host_s"), 0.02);
  const Ran estimated = cli.run("estimate x.program --device h200 --json --store sqlite:s.db");
  ASSERT_EQ(estimated.status, 0) << estimated.err;
  EXPECT_EQ(estimated.json().at("host_s_per_iteration"), 0.02);
  EXPECT_NEAR(estimated.json().at("device_time_by_source").at("timed").get<double>(), 1, 1e-9);
}

TEST_F(TraceCommand, SaysWhatIsWrong) {
  cli.write("train.py", "");
  EXPECT_THAT(trace("lenet5 -o x.json").err, HasSubstr("does not end in .program"));
  EXPECT_THAT(trace("lenet5 --way guess").err, HasSubstr("--way"));
  EXPECT_THAT(trace("train.py --batch 4").err, HasSubstr("a script decides this itself"));
  EXPECT_THAT(trace("lenet5 -o no/x.program").err, HasSubstr("no/x.program"));
  EXPECT_THAT(trace("train.py:raises").err, HasSubstr("ValueError: no good"));
  EXPECT_THAT(trace("train.py:broken").err, HasSubstr("operation 7 does not exist"));
  EXPECT_EQ(cli.run("show train.program").status, 3) << "nothing was written";
}

TEST_F(TraceCommand, OtherRigsSayWhichOneCan) {
  const Ran ran = cli.shell("\"$AMPERE\" trace lenet5 --rig \"cmd:$FAKE_RUNNER well\"");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("cannot trace programs or time operations (the rig \"torch\""));
}

TEST(SimulatedTrace, DerivesThePrograms) {
  const Cli cli;
  const Ran ran = cli.run("trace cnn5 --rig sim:server --batch 8 -o x.program");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("x.program: 60 steps of "));
  EXPECT_THAT(ran.out, HasSubstr("note: derived from the network by rules, because the device is "
                                 "simulated\n"));
  const Json shown = cli.run("show x.program --json").json();
  EXPECT_EQ(shown.at("origin").at("way"), "lowered");
  EXPECT_EQ(shown.at("setup").at("batch"), 8);
}

TEST(SimulatedTrace, RefusesWhatMustBeRun) {
  const Cli cli;
  cli.write("train.py", "");
  const auto expect = [&](const std::string& arguments, const std::string& text) {
    const Ran ran = cli.run("trace --rig sim:server " + arguments);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("simulated GPU server: " + text));
  };
  expect("train.py", "a simulated device cannot run a script (the rig \"torch\" can)");
  expect("cnn5 --way run", "a simulated device cannot trace in the way 'run'");
  expect("cnn5 --precision bf16", "this rig cannot train in bf16 (there is fp32)");
}

TEST(ShowProgram, PrintsAProgramFileThatLoadsAgain) {
  const Cli cli;
  const Ran first = cli.run(std::string("show ") + kTwoBlocks + " --json");
  ASSERT_EQ(first.status, 0) << first.err;
  cli.write("again.program", first.out);
  EXPECT_EQ(cli.run("show again.program --json").out, first.out);
}

TEST(ShowProgram, SaysWhatIsWrongWithAFile) {
  const Cli cli;
  EXPECT_EQ(cli.run("show no.program").status, 3);
  cli.write("empty.program", "");
  const Ran empty = cli.run("show empty.program");
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, HasSubstr("empty.program: is empty, not a program"));
  EXPECT_THAT(cli.run(std::string("show --batch 4 ") + kTwoBlocks).err, HasSubstr("--batch: "));
}

TEST(ShowProgram, VerbsThatNeedAModelSaySo) {
  const Cli cli;
  for (const std::string verb :
       {"run --rig sim:xavier", "profile --rig sim:xavier", "prune --budget 50%", "report estimate",
        "trace --rig sim:xavier"}) {
    const Ran ran = cli.run(verb + " " + kTwoBlocks);
    EXPECT_EQ(ran.status, 2) << verb;
    EXPECT_THAT(ran.err, HasSubstr("two_blocks.program: is a program, which is one traced "
                                   "iteration; a model is needed here"))
        << verb;
  }
}

}  // namespace
}  // namespace ampere
