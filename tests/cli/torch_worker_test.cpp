// Training in the PyTorch of a Python interpreter, through the real worker.
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

constexpr const char* kQuick =
    " --rig torch:cpu --store sqlite:s.db --measure-error 0.2 --point-seconds 0.5 ";

constexpr const char* kScript = R"(
import time
import ampere
import torch
from torch.nn import functional

def build(batch=16, data=False, fault=""):
    print("printed by the script")
    model = torch.nn.Linear(32, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    items = [(torch.randn(batch, 32), torch.randint(4, (batch,))) for _ in range(3)]

    def step(item=items[0]):
        if fault == "raises":
            raise ValueError("no good")
        while fault == "hangs":
            time.sleep(1)
        loss = functional.cross_entropy(model(item[0]), item[1])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss * float("nan") if fault == "nan" else loss

    if fault == "build":
        raise RuntimeError("cannot be built")
    return ampere.Job(step, model=model, batch=batch, data=items if data else None, name="little")
)";

class InPython : public testing::Test {
 protected:
  void SetUp() override { cli.write("train.py", kScript); }
  Ran run(const std::string& arguments) const { return cli.run("run " + arguments + kQuick); }
  // As a user would type it: the rig is not named.
  Ran run_script(const std::string& arguments) const {
    return cli.run("run " + arguments + " --measure-error 0.2 --point-seconds 0.5");
  }
  Cli cli;
};

TEST_F(InPython, ANetworkIsProfiledEstimatedAndTrained) {
  const Ran profiled =
      cli.run(std::string("profile lenet5 --json --timings 30 --networks 5") + kQuick);
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  const Json profile = profiled.json();
  EXPECT_EQ(profile.at("method"), "dual");
  EXPECT_EQ(profile.at("failed"), 0);
  const Ran checked = cli.run(std::string("estimate lenet5 --check --json") + kQuick);
  ASSERT_EQ(checked.status, 0) << checked.err;
  EXPECT_GT(checked.json().at("checked").at("time_s_per_iteration").at("mean").get<double>(), 0);
  const Ran refined = cli.run(std::string("estimate lenet5:5,11,70,50 --refine --json") + kQuick);
  EXPECT_EQ(refined.status, 0) << refined.err;
}

TEST_F(InPython, TheSetupIsPartOfTheProfile) {
  ASSERT_EQ(run("lenet5:2,4,8,8 --precision bf16 --optimizer adamw --weight-decay 0.1 "
                "--channels-last --accumulate 2")
                .status,
            0);
  const Ran profiles = cli.run("profiles --json --store sqlite:s.db");
  EXPECT_THAT(profiles.out, AllOf(HasSubstr("bf16"), HasSubstr("adamw"), HasSubstr("torch ")))
      << profiles.out;
  const Ran other = cli.run("estimate lenet5 --store sqlite:s.db");
  EXPECT_EQ(other.status, 3) << "another setup was never profiled: " << other.out;
}

TEST_F(InPython, WhatThisPyTorchCannotDoIsRefusedWithWhatItCan) {
  const Ran ran = run("lenet5 --precision fp16");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("cannot train in fp16"), HasSubstr("fp32")));
}

TEST_F(InPython, JoulesOfTheModelContainTheWorker) {
  const Ran ran = run("lenet5:1,1,1,1 --json --meter modelled:static=0,core=10");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json measured = ran.json().at("measurement");
  const double energy = measured.at("energy_j_per_iteration").at("mean");
  const double time = measured.at("time_s_per_iteration").at("mean");
  EXPECT_GT(energy / time, 5) << "watts of a worker that keeps a core busy";
}

TEST_F(InPython, AStepOfOnesOwnIsMeasured) {
  const Ran ran = run("train.py:build --arg batch=8 --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("model"), "little");
  EXPECT_EQ(json.at("batch"), 8);
  EXPECT_FALSE(json.contains("without_data"));
  EXPECT_GT(json.at("measurement").at("time_s_per_iteration").at("mean").get<double>(), 0);
  EXPECT_GT(json.at("measurement").at("preparation").at("time_s").get<double>(), 0);
}

TEST_F(InPython, ADataLoaderIsMeasuredWithAndWithout) {
  const Ran ran = run_script("train.py --arg data=true");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("without the data loader"));
  EXPECT_THAT(ran.out, Not(HasSubstr("printed by the script")));
}

TEST_F(InPython, FaultsOfAScriptAreToldAsTheyAre) {
  const auto fails = [&](const std::string& arguments, int status, const std::string& says) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.status, status) << arguments << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(says));
  };
  fails("train.py:build --arg fault=raises", 1, "ValueError: no good");
  fails("train.py:build --arg fault=build", 1, "RuntimeError: cannot be built");
  fails("train.py:bild", 2, "did you mean 'build'");
  fails("train.py:build --arg bach=3", 2, "bach");
  fails("nowhere.py:build", 3, "there is no such file");
  fails("train.py:build --batch 3", 2, "--arg batch=128");
  fails("train.py:build --arg batch", 2, "NAME=VALUE");
  fails("lenet5 --arg batch=3", 2, "FILE.py:FUNCTION");
  fails("train.py:build --arg fault=hangs --step-timeout 1", 1, "did not answer in time");
}

TEST_F(InPython, ALossThatIsNoNumberIsNoted) {
  const Ran ran = run("train.py:build --arg fault=nan");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("note: "));
  EXPECT_THAT(ran.out, HasSubstr("loss"));
}

TEST_F(InPython, TheRigMayBeWrittenInAnyCase) {
  EXPECT_EQ(cli.run("run train.py --rig CPU --measure-error 0.2 --point-seconds 0.5").status, 0);
  const Ran ran = cli.run("run lenet5:1,1,1,1 --rig Torch:CPU --store memory: --point-seconds 0.5");
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(InPython, OtherRigsRunNoScripts) {
  const Ran ran = cli.run("run train.py:build --rig sim:xavier");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("cannot run a script"));
}

TEST_F(InPython, AnInterpreterWithoutPyTorchSaysSo) {
  cli.write("bare", "#!/bin/sh\nexec /usr/bin/python3 -S \"$@\"\n");
  const Ran ran =
      cli.shell("chmod +x bare; $AMPERE run lenet5 --python ./bare" + std::string(kQuick));
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("torch"), HasSubstr("interpreter")));
  EXPECT_EQ(run("lenet5 --python /nowhere/python3").status, 3);
}

// From tracing to measuring, and once more from the recording.
TEST_F(InPython, ALanguageModelIsEstimatedWithTheDeviceAtHand) {
  cli.write("gpt.py", R"(
import torch

class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding, self.head = torch.nn.Embedding(50, width), torch.nn.Linear(width, 50)

    def prefill(self, tokens):
        x = self.embedding(tokens)
        return self.head(x), [x]

    def decode(self, token, cache):
        cache[0] = torch.cat([cache[0], self.embedding(token)], 1)
        return self.head(cache[0].mean(1)), cache

def build(width=16):
    return Model(width)
)");
  const std::string store = " --store sqlite:g.db ";
  const Ran profiled =
      cli.run("profile --general --operations 40 --programs 2 --rig torch:cpu" + store);
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  const std::string words =
      "estimate gpt.py:build --mode generation --prompt 8 --new-tokens 5 --batches 1,3 --contexts "
      "10 "
      "--refine --json" +
      store;
  const Ran ran = cli.run(words + "--rig torch:cpu --record seen.jsonl");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json seen = ran.json();
  EXPECT_GT(seen.at("at_hand").at("timed_operations"), 3);
  const Json& host = seen.at("at_hand").at("host");
  ASSERT_EQ(host.size(), 2u) << seen.at("warnings");
  EXPECT_EQ(host.at(1).at("call").at("stage"), "decode");
  EXPECT_EQ(host.at(1).at("call").at("batch"), 1);
  EXPECT_GT(host.at(1).at("time_s").at("mean").get<double>(), 0);
  const Ran again = cli.run(words + "--rig recorded:seen.jsonl");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json(), seen) << "each call has its own answer in the recording";
}

TEST_F(InPython, TheDoctorFindsInterpreters) {
  const Ran ran = cli.run("doctor --wide --rig torch");
  EXPECT_THAT(ran.out, HasSubstr("with PyTorch "));
  EXPECT_THAT(ran.out, HasSubstr("yes rig torch: "));
}

}  // namespace
}  // namespace ampere
