// `ampere choose`: the shipped profile of an H200, simulated devices, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

const std::string kH200 = " --device h200 --store sqlite:none.db ";

std::vector<std::string> names(const Json& list) {
  std::vector<std::string> names;
  for (const Json& each : list) names.push_back(each.at("name"));
  return names;
}

const Json& named(const Json& json, const char* which) {
  return json.at("alternatives").at(json.at(which).get<std::size_t>());
}

TEST(Choose, AnswersForADeviceThatIsNotHere) {
  const Cli cli;
  const Ran ran = cli.run("choose resnet50:size=224 --json" + kH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("alternatives").size(), 10u);  // five batches, two formats
  const Json& best = named(json, "best");
  EXPECT_EQ(best.at("rank"), 1);
  EXPECT_TRUE(best.at("front"));
  for (const Json& each : json.at("alternatives")) {
    EXPECT_EQ(each.at("source"), "measured");
    EXPECT_LE(best.at("energy_j").at("mean"), each.at("energy_j").at("mean"));
    EXPECT_LT(each.at("energy_j").at("low"), each.at("energy_j").at("high"));
    EXPECT_GT(each.at("peak_memory_bytes"), 900'000'000);
    EXPECT_EQ(each.at("inside").at("memory"), "inside") << "the H200 has 140 GiB";
  }
  EXPECT_EQ(json.at("checked"), nullptr);
}

// What `estimate` says is what is compared.
TEST(Choose, HasTheEstimatesOfEstimate) {
  const Cli cli;
  const Json chosen =
      cli.run("choose resnet18 --batch 48 --precision bf16 --samples 4801 --epochs 3 --json" +
              kH200)
          .json();
  const Json estimated = cli.run(
                                "estimate resnet18 --batch 48 --precision bf16 --samples 4801 "
                                "--epochs 3 --json" +
                                kH200)
                             .json();
  const Json& each = chosen.at("alternatives").at(0);
  EXPECT_EQ(each.at("iterations"), 303);
  for (const char* cost : {"energy_j", "time_s"})
    for (const char* end : {"mean", "low", "high"})
      EXPECT_EQ(each.at(cost).at(end), estimated.at(cost).at(end)) << cost << " " << end;
  EXPECT_EQ(each.at("peak_memory_bytes"), estimated.at("peak_memory_bytes"));
}

TEST(Choose, MarksWhatDoesNotFit) {
  const Cli cli;
  const Ran ran = cli.run(
      "choose resnet50:size=224 --batch 16,256 --precision fp32 --memory 16GB --json" + kH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("alternatives").at(0).at("inside").at("memory"), "inside");
  EXPECT_EQ(json.at("alternatives").at(1).at("inside").at("memory"), "outside");
  EXPECT_EQ(json.at("best"), 0);
  const Ran text =
      cli.run("choose resnet50:size=224 --batch 16,256 --precision fp32 --memory 16GB" + kH200);
  EXPECT_THAT(text.out, HasSubstr("does not fit"));
}

TEST(Choose, WhatIsLargerThanTheDeviceIsNoAnswer) {
  const Cli cli;
  const Ran ran =
      cli.run("choose resnet50:size=224 --batch 64,8192 --precision bf16 --json" + kH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.json().at("alternatives").at(1).at("inside").at("memory"), "outside");
  EXPECT_EQ(ran.json().at("best"), 0);
  const Ran estimated = cli.run("estimate resnet50:size=224 --batch 8192 --precision bf16" + kH200);
  EXPECT_EQ(estimated.status, 0);
  EXPECT_THAT(
      estimated.out + estimated.err,
      HasSubstr(
          "it does not fit: its tensors take 367 GB at the peak, and NVIDIA H200 has 150 GB"));
  EXPECT_THAT(estimated.out + estimated.err, HasSubstr("--batch 2048 --accumulate 4 would fit"));
}

TEST(Choose, SaysWhichBatchIsSmallestWhereNoneFits) {
  const Cli cli;
  const Ran ran = cli.run("choose resnet50:size=224 --batch 128,256 --memory 2GB" + kH200);
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err,
              HasSubstr("none fits into 2 GB of memory; batch 128, sgd, bf16 needs least"));
  EXPECT_THAT(ran.err, HasSubstr("smaller batch"));
  EXPECT_THAT(ran.err, HasSubstr("(--batch 16 --accumulate 8, or --batch 16 --effective-batch "
                                 "128)"));
  const Ran smaller = cli.run(
      "choose resnet50:size=224 --batch 16 --accumulate 8 --precision bf16 --memory 2GB" + kH200);
  EXPECT_EQ(smaller.status, 0) << "what is named works";
}

TEST(Choose, ABatchIsAccumulatedToTheEffectiveOne) {
  const Cli cli;
  const Json json = cli.run(
                           "choose resnet18 --batch 16,48,64 --effective-batch 128 --precision "
                           "fp32 --json" +
                           kH200)
                        .json();
  EXPECT_EQ(json.at("alternatives").at(0).at("setup").at("accumulation"), 8);
  EXPECT_EQ(json.at("alternatives").at(0).at("samples_per_iteration"), 128);
  EXPECT_THAT(json.at("alternatives").at(1).at("reason"), HasSubstr("no multiple"));
  EXPECT_EQ(json.at("best"), 2);
}

TEST(Choose, NamesWhatItCannotEstimateAndWhy) {
  const Cli cli;
  const Ran ran =
      cli.run("choose resnet18 --batch 32 --precision fp32,tf32 --compile no,yes" + kH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("not estimated: batch 32, sgd, tf32\n")));
  EXPECT_THAT(ran.out, HasSubstr("not estimated: batch 32, sgd, fp32, compiled"));
  EXPECT_THAT(ran.out, HasSubstr("not estimated: batch 32, sgd, tf32, compiled"));
  EXPECT_THAT(ran.out,
              HasSubstr("`ampere profile resnet18 --rig torch --batch 32 --compile`, and so with "
                        "the settings of the others\n"));
  const std::size_t first = ran.out.find("`ampere profile ");
  EXPECT_EQ(ran.out.find("`ampere profile ", first + 1), ran.out.npos) << "it is said once";
}

TEST(Choose, WhatNoProfileHasIsStatusThree) {
  const Cli cli;
  const Ran ran = cli.run("choose resnet18 --batch 16,32 --compile yes" + kH200);
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("nothing could be estimated"));
  EXPECT_THAT(ran.err, HasSubstr("ampere profile resnet18 --rig torch --batch 16 --compile"));
}

TEST(Choose, LimitsThatNothingKeepsAreStatusOne) {
  const Cli cli;
  const Ran ran =
      cli.run("choose resnet18 --batch 16,32 --budget 1kJ --deadline 1s --json" + kH200);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.json().at("best"), nullptr);
  EXPECT_THAT(ran.err, HasSubstr("no alternative certainly stays within every limit"));
  EXPECT_THAT(ran.err, HasSubstr("the closest in energy is batch 32"));
}

TEST(Choose, NoProfileSaysHowToGetOne) {
  const Cli cli;
  const Ran ran = cli.run("choose resnet18 --store sqlite:none.db");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("the store is empty"));
  EXPECT_THAT(ran.err, HasSubstr("`ampere profile --general`"));
  EXPECT_THAT(ran.err, HasSubstr("(h200)"));
}

struct RefusedChoice {
  const char *words, *message;
};
class BadChoice : public testing::TestWithParam<RefusedChoice> {};

TEST_P(BadChoice, IsStatusTwoAndNamesTheOption) {
  const Cli cli;
  const Ran ran = cli.run(std::string("choose ") + GetParam().words + kH200);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().message));
  EXPECT_EQ(ran.out, "");
}
INSTANTIATE_TEST_SUITE_P(
    Cli, BadChoice,
    testing::Values(
        RefusedChoice{"resnet18 --batch ''", "--batch: the list is empty"},
        RefusedChoice{"resnet18 --batch 16,,32", "--batch: '16,,32' has an empty entry"},
        RefusedChoice{"resnet18 --batch 16,16", "--batch: 16 occurs twice"},
        RefusedChoice{"resnet18 --batch 1000000000",
                      "--batch: 1000000000 is not between 1 and 1048576"},
        RefusedChoice{"resnet18 --batch 1e9",
                      "--batch: '1e9' is not a whole number between 1 and 1048576"},
        RefusedChoice{"resnet18 --batch -4", "--batch"},
        RefusedChoice{"resnet18 --precision fp31", "--precision: "},
        RefusedChoice{"resnet18 --optimizer sdg", "--optimizer: "},
        RefusedChoice{"resnet18 --compile maybe", "--compile: 'maybe' is neither no nor yes"},
        RefusedChoice{"resnet18 --memory 24", "--memory: '24' has no unit"},
        RefusedChoice{"resnet18 --memory -1GB", "--memory: "},
        RefusedChoice{"resnet18 --memory 1e30GB", "--memory: "},
        RefusedChoice{"resnet18 --budget 5", "--budget: "},
        RefusedChoice{"resnet18 --deadline soon", "--deadline: "},
        RefusedChoice{"resnet18 --accumulate 2 --effective-batch 64", "give only one"},
        RefusedChoice{"resnet18 --epochs 1000000 --samples 1000000000000", "--epochs: "},
        RefusedChoice{"resnet18 cnn5", "choose is for one network"},
        RefusedChoice{"resnet18 --profiles all", "give only one"},
        RefusedChoice{"resnet18 --arg batch=3", "no script that takes arguments"},
        RefusedChoice{"resnet18 --method guess", "--method: "}));

TEST(Choose, RefusesMoreCombinationsThanAnybodyReads) {
  const Cli cli;
  std::string batches = "1";
  for (int i = 2; i <= 600; ++i) batches += "," + std::to_string(i);
  const Ran ran = cli.run("choose resnet18 --batch " + batches + kH200);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("more than 1000 combinations"));
}

TEST(Choose, ComparesTracedIterationsPerSample) {
  const Cli cli;
  const std::string data = AMPERE_DATA "/programs/";
  const std::string one = data + "resnet18-fp32-sgd-fake.program",
                    other = data + "resnet18-bf16-adamw-fake.program";
  const Ran ran = cli.run("choose " + one + " " + other + " --json" + kH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(names(ran.json().at("alternatives")), ElementsAre(one, other));
  EXPECT_EQ(ran.json().at("alternatives").at(0).at("setup").at("precision"), "fp32");
  const Ran batch = cli.run("choose " + one + " --batch 16" + kH200);
  EXPECT_EQ(batch.status, 2);
  EXPECT_THAT(batch.err, HasSubstr("--batch: traced iterations have a setup that is fixed"));
  const Ran checked = cli.run("choose " + one + " --check 1 --rig sim:xavier" + kH200);
  EXPECT_NE(checked.status, 0);
  EXPECT_THAT(checked.err, HasSubstr("nothing can be trained from"));
}

// Two simulated devices and the one that came with the program.
TEST(Choose, ComparesDevices) {
  const Cli cli;
  for (const char* device : {"sim:xavier", "sim:server"}) {
    const Ran ran = cli.run(std::string("profile cnn5 --batch 32 --timings 60 --networks 8 --store "
                                        "sqlite:s.db --rig ") +
                            device);
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  const Ran ran =
      cli.run("choose cnn5 --batch 32 --precision fp32 --profiles all --json --store sqlite:s.db");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  ASSERT_EQ(json.at("alternatives").size(), 3u);
  std::set<std::string> sources;
  for (const Json& each : json.at("alternatives")) {
    EXPECT_NE(each.at("energy_j"), nullptr) << each;
    sources.insert(each.at("source"));
  }
  EXPECT_THAT(sources, ElementsAre("measured", "simulated"));
  const Ran text =
      cli.run("choose cnn5 --batch 32 --precision fp32 --profiles all --store sqlite:s.db");
  std::istringstream lines(text.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_simulated = line.find(" on simulated ") != line.npos,
               is_row =
                   line.starts_with("1  ") || line.starts_with("2  ") || line.starts_with("3  ");
    if (is_row) {
      EXPECT_THAT(line, HasSubstr(is_simulated ? " simulated  " : " measured  "));
      ++rows;
    }
    if (line.starts_with("best ") && is_simulated) {
      EXPECT_THAT(line, HasSubstr("(simulated joules)"));
    }
  }
  EXPECT_EQ(rows, 3) << text.out;
}

TEST(Choose, NamesTheCommandForWhatWasNeverProfiled) {
  const Cli cli;
  const std::string store = " --store sqlite:s.db";
  ASSERT_EQ(
      cli.run("profile cnn5 --timings 60 --networks 8 --rig sim:xavier --batch 8" + store).status,
      0);
  const Ran ran = cli.run("choose cnn5 --batch 8,64,128 --precision fp32" + store);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("to estimate batch 64, sgd, fp32: `ampere profile cnn5 --rig "
                                 "sim:xavier --batch 64`, and so with"));
  const Json json = cli.run("choose cnn5 --batch 8,64,128 --precision fp32 --json" + store).json();
  const std::string remedy = json.at("alternatives").at(2).at("remedy");
  EXPECT_EQ(remedy, "`ampere profile cnn5 --rig sim:xavier --batch 128`");
  const std::string words = remedy.substr(8, remedy.size() - 9);
  EXPECT_EQ(cli.run(words + " --timings 60 --networks 8" + store).status, 0) << "it works";
}

TEST(Choose, ARigOfTheStoreIsNotNamedForAnotherDevice) {
  const Cli cli;
  ASSERT_EQ(
      cli.run("profile cnn5 --timings 60 --networks 8 --rig sim:xavier --store sqlite:s.db").status,
      0);
  const Ran ran = cli.run("estimate cnn5 --compile --device h200 --store sqlite:s.db");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("`ampere profile cnn5 --batch 10 --compile`"));
}

// What the device refuses is not taken for what the store knows.
TEST(Choose, ARefusedCheckLeavesNoEmptyProfile) {
  const Cli cli;
  const std::string store = " --rig sim:xavier --store sqlite:s.db";
  ASSERT_EQ(cli.run("profile --general" + store).status, 0);
  const Ran ran = cli.run("choose cnn5 --batch 16 --precision bf16 --check 1" + store);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("cannot train in bf16"));
  std::istringstream profiles(cli.run("profiles --json --store sqlite:s.db").out);
  int rows = 0;
  for (std::string line; std::getline(profiles, line);) ++rows;
  EXPECT_EQ(rows, 1) << "the general one";
}

// Profiles of one setup answer for theirs; the others say what is missing.
TEST(Choose, MeasuresTheMostPromisingOnes) {
  const Cli cli;
  for (const char* batch : {"8", "32"}) {
    const Ran ran = cli.run(std::string("profile cnn5 --timings 60 --networks 8 --rig sim:xavier "
                                        "--store sqlite:s.db --batch ") +
                            batch);
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  const Ran ran = cli.run(
      "choose cnn5 --batch 8,32,128 --precision fp32 --check 2 --rig sim:xavier --json --store "
      "sqlite:s.db");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("best"), 1);
  EXPECT_THAT(json.at("alternatives").at(2).at("reason"), HasSubstr("no profile for batch 128"));
  EXPECT_NE(json.at("alternatives").at(0).at("peak_memory_bytes"), nullptr);
  const Json& checked = json.at("checked");
  EXPECT_EQ(checked.at("measured").size(), 2u);
  EXPECT_TRUE(checked.at("held"));
  EXPECT_EQ(checked.at("pairs_held"), 1);
  EXPECT_EQ(checked.at("measured_best"), 1);
  EXPECT_EQ(checked.at("measured").at(0).at("source"), "simulated");
  EXPECT_LT(std::abs(checked.at("measured").at(0).at("energy_error_of_estimate").get<double>()),
            0.3);
}

TEST(Choose, OneMeasurementIsNoOrder) {
  const Cli cli;
  const std::string store = " --rig sim:xavier --store sqlite:s.db";
  ASSERT_EQ(cli.run("profile cnn5 --timings 60 --networks 8 --batch 8" + store).status, 0);
  const std::string words = "choose cnn5 --batch 8 --precision fp32 --check 1" + store;
  const Ran text = cli.run(words);
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("cannot be judged: only one was measured, and it takes two"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("0 of 0")));
  const Json checked = cli.run(words + " --json").json().at("checked");
  EXPECT_EQ(checked.at("held"), nullptr);
  EXPECT_EQ(checked.at("measured").size(), 1u);
}

TEST(Choose, BecomesAPage) {
  const Cli cli;
  const Ran ran =
      cli.run("report choose resnet18 --batch 16,64 --memory 8GB --output c.html" + kH200);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(cli.read("c.html"), HasSubstr("batch 64, sgd, bf16"));
  cli.write("c.json", cli.run("choose resnet18 --batch 16,64 --json" + kH200).out);
  const Ran from = cli.run("report choose --from c.json --json");
  ASSERT_EQ(from.status, 0) << from.err;
  EXPECT_EQ(from.json().at("content").at("choices").at(0).at("alternatives").size(), 4u);
  cli.write("other.json", R"({"model": "cnn5"})");
  const Ran bad = cli.run("report choose --from other.json");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("other.json: the key \"samples\" is missing"));
  for (const std::string words : {"--from c.json resnet18", "resnet18 --from c.json"}) {
    const Ran both = cli.run("report choose " + words);
    EXPECT_EQ(both.status, 2) << words;
    EXPECT_THAT(both.err, HasSubstr("--from and MODEL exclude each other")) << words;
  }
  const Ran nothing = cli.run("report choose");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("name a MODEL"));
}

}  // namespace
}  // namespace ampere
