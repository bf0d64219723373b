// The compiled network beside the eager one: from steps of ResNet-50 that were recorded on an
// NVIDIA H200, from profiles of simulated devices, and where nothing can answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

const std::string kModern = AMPERE_DATA "/h200_modern.jsonl.gz";
const std::string kShipped = " --device h200 --store sqlite:none.db ";
const std::string kResNet = "choose resnet50:size=224 --batch 64 --precision bf16 ";

std::string traced(const Cli& cli, const std::string& file, bool compiled) {
  const Ran ran = cli.run("trace " AMPERE_STEPS
                          ":build --arg network=resnet50 --arg batch=64 --arg precision=bf16 --arg "
                          "optimizer=sgd " +
                          std::string(compiled ? "--arg compiled=true " : "") +
                          "--rig recorded:" + kModern + " -o " + file);
  EXPECT_EQ(ran.status, 0) << ran.err;
  return file;
}

// As `ampere trace resnet50:size=224 --compile` writes it: what a script runs has no setup.
std::string traced_network(const Cli& cli, const std::string& file, const Json& setup) {
  Json program = Json::parse(cli.shell("gzip -dc " + traced(cli, file, true)).out);
  program["setup"] = setup;
  cli.write(file, program.dump());
  return file;
}

Json compiled_setup() {
  return {{"batch", 64}, {"optimizer", "sgd"}, {"precision", "bf16"}, {"compile", true}};
}

bool is_on_front(const Json& each) { return each.at("front") || each.at("maybe_front"); }

TEST(CompiledChoice, AProgramOfTheCompiledNetworkAnswersForItsSetting) {
  const Cli cli;
  const std::string file = traced_network(cli, "c.program", compiled_setup());
  const Ran ran = cli.run(kResNet + "--compile no,yes --json " + file + kShipped);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("model"), "resnet50:size=224");
  const Json& all = json.at("alternatives");
  ASSERT_EQ(all.size(), 2u);
  for (const Json& each : all) {
    EXPECT_NE(each.at("energy_j"), nullptr) << each;
    EXPECT_EQ(each.at("remedy"), nullptr);
    EXPECT_EQ(each.at("samples_per_iteration"), 64);
  }
  EXPECT_EQ(all.at(0).at("compiled"), false);
  EXPECT_EQ(all.at(1).at("compiled"), true);
  EXPECT_EQ(all.at(1).at("name"), "batch 64, sgd, bf16, compiled");
  EXPECT_EQ(all.at(1).at("setup").at("compile"), true);
  EXPECT_TRUE(is_on_front(all.at(1)));
}

TEST(CompiledChoice, AProgramOfAnotherSettingIsOneMoreAlternative) {
  const Cli cli;
  const std::string file = traced_network(cli, "c.program", compiled_setup());
  const Ran ran =
      cli.run("choose resnet50:size=224 --batch 32 --precision bf16 --json " + file + kShipped);
  ASSERT_EQ(ran.status, 0) << ran.err;
  ASSERT_EQ(ran.json().at("alternatives").size(), 2u);
  EXPECT_EQ(ran.json().at("alternatives").at(1).at("name"), "batch 64, sgd, bf16, compiled");
}

TEST(CompiledChoice, WhatNothingAnswersForKeepsItsRowWithTheCommand) {
  const Cli cli;
  const std::string words = kResNet + "--compile no,yes";
  const Ran ran = cli.run(words + " --json" + kShipped);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json lost = ran.json().at("alternatives").at(1);
  EXPECT_EQ(lost.at("compiled"), true);
  for (const char* key : {"energy_j", "time_s", "energy_j_per_sample", "rank"})
    EXPECT_EQ(lost.at(key), nullptr) << key;
  EXPECT_THAT(lost.at("reason"), HasSubstr("a compiled network cannot be lowered"));
  EXPECT_THAT(lost.at("remedy"), HasSubstr("--rig torch --batch 64 --precision bf16 --compile -o"));
  EXPECT_THAT(lost.at("remedy"), HasSubstr("--rig torch --batch 64 --precision bf16 --compile`"));
  const Ran text = cli.run(words + kShipped);
  EXPECT_THAT(text.out, HasSubstr("not estimated: batch 64, sgd, bf16, compiled"));
  EXPECT_THAT(text.out, HasSubstr("to estimate batch 64, sgd, bf16, compiled: `ampere trace "));
  const Ran alone = cli.run(kResNet + "--compile yes" + kShipped);
  EXPECT_EQ(alone.status, 3);
  EXPECT_THAT(alone.err, HasSubstr("`ampere trace resnet50:size=224 --rig torch --batch 64 "));
}

// As if the same networks had been compiled: simulated devices compile nothing.
TEST(CompiledChoice, AProfileOfTheCompiledFamilyAnswersForIt) {
  const Cli cli;
  const std::string store = " --store sqlite:s.db ";
  ASSERT_EQ(
      cli.run("profile cnn5 --batch 32 --timings 60 --networks 8 --rig sim:xavier" + store).status,
      0);
  Json profile = cli.run("profiles export 1" + store).json();
  profile["setup"]["compile"] = true;
  for (Json& each : profile["observations"]) each["setup"]["compile"] = true;
  cli.write("compiled.json", profile.dump());
  ASSERT_EQ(cli.run("profiles import compiled.json" + store).status, 0);
  const std::string words = "choose cnn5 --batch 32 --precision fp32 --compile no,yes" + store;
  const Ran ran = cli.run(words + "--json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json all = ran.json().at("alternatives");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(all.at(i).at("compiled"), i == 1);
    EXPECT_NE(all.at(i).at("energy_j"), nullptr) << all.at(i);
    EXPECT_EQ(all.at(i).at("profile"), std::to_string(i + 1));
  }
  EXPECT_THAT(cli.run(words).out,
              HasSubstr("(profile 1, simulated, method dual; profile 2, simulated, method dual)"));
}

TEST(CompiledChoice, ProgramsThatContradictAreRefusedByName) {
  const Cli cli;
  const std::string file = traced_network(cli, "c.program", compiled_setup());
  const Ran other = cli.run("choose resnet18 --batch 64 --precision bf16 " + file + kShipped);
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("c.program was traced from a network with"));
  cli.write("d.program", cli.read(file));
  const Ran twice = cli.run(kResNet + file + " d.program" + kShipped);
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr("d.program: another program was traced with batch 64"));
  const Ran both = cli.run(kResNet + "--compile yes --compiled no" + kShipped);
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--compile"));
}

// Of steps of the user's own, the programs alone tell which was compiled.
TEST(CompiledChoice, StepsOfOnesOwnAreComparedByTheirPrograms) {
  const Cli cli;
  const Ran ran = cli.run("choose " + traced(cli, "eager.program", false) + " " +
                          traced(cli, "compiled.program", true) + " --json" + kShipped);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json all = ran.json().at("alternatives");
  EXPECT_EQ(all.at(0).at("compiled"), false);
  EXPECT_EQ(all.at(1).at("compiled"), true);
  EXPECT_EQ(all.at(1).at("setup"), nullptr);
  EXPECT_LT(all.at(1).at("energy_j").at("mean"), all.at(0).at("energy_j").at("mean"));
}

// The recording, as if its eager steps had been asked for with compiled=false.
TEST(CompiledChoice, AScriptIsCrossedWithCompilingAndTheOrderIsTheMeasuredOne) {
  const Cli cli;
  const Ran recording = cli.shell(
      "gzip -dc " + kModern +
      " | grep -e ampere_recording -e '\"batch\":64.*\"network\":\"resnet50\"' | sed "
      "'s/\"arguments\":{\"batch\":64,\"network\"/\"arguments\":{\"batch\":64,\"compiled\":false,"
      "\"network\"/' > r.jsonl");
  ASSERT_EQ(recording.status, 0) << recording.err;
  const Ran ran = cli.run("choose " AMPERE_STEPS
                          ":build --arg network=resnet50 --arg optimizer=sgd --batch 64 "
                          "--precision fp32,bf16 --compiled no,yes --check 4 --json --rig "
                          "recorded:r.jsonl --device h200 --store sqlite:none.db");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  ASSERT_EQ(json.at("alternatives").size(), 4u);
  for (const Json& each : json.at("alternatives"))
    EXPECT_EQ(each.at("compiled"),
              each.at("name").get<std::string>().find("compiled true") != std::string::npos);
  ASSERT_EQ(json.at("checked").at("measured").size(), 4u);
  for (const Json& one : json.at("checked").at("measured"))
    EXPECT_LT(std::abs(one.at("energy_error_of_estimate").get<double>()), 0.2) << one;
  EXPECT_EQ(json.at("checked").at("pairs_turned"), 0);
}

}  // namespace
}  // namespace ampere
