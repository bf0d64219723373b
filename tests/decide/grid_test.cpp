#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/decide.h"
#include "decide/said.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::said;

std::vector<std::string> names(const std::vector<Candidate>& candidates) {
  std::vector<std::string> result;
  for (const Candidate& each : candidates) result.push_back(each.name);
  return result;
}

TEST(SetupGrid, CombinesEverything) {
  SetupGrid grid;
  grid.batches = {16, 32};
  grid.precisions = {"fp32", "bf16"};
  EXPECT_THAT(names(candidates_of(grid)),
              ElementsAre("batch 16, sgd, fp32", "batch 32, sgd, fp32", "batch 16, sgd, bf16",
                          "batch 32, sgd, bf16"));
}

TEST(SetupGrid, AccumulatesUpToTheSamplesOfAnUpdate) {
  SetupGrid grid;
  grid.batches = {16, 48, 64};
  grid.samples_per_update = 64;
  const std::vector<Candidate> candidates = candidates_of(grid);
  EXPECT_EQ(std::get<ampere::Setup>(candidates[0].how).options.accumulation, 4);
  EXPECT_EQ(candidates[1].refused, "64 samples per update are no multiple of a batch of 48");
  EXPECT_EQ(std::get<ampere::Setup>(candidates[2].how).options.accumulation, 1);
}

TEST(SetupGrid, RefusesWhatLeavesNoChoice) {
  SetupGrid grid;
  EXPECT_THAT(said([&] { candidates_of(grid); }), HasSubstr("no batch size to choose from"));
  grid.batches = {16, 16};
  EXPECT_THAT(said([&] { candidates_of(grid); }), HasSubstr("a batch size occurs twice"));
  grid.batches = {1'000'000'000};
  EXPECT_THAT(said([&] { candidates_of(grid); }), HasSubstr("not between 1 and"));
  grid.batches = {16};
  grid.precisions = {"fp31"};
  EXPECT_THAT(said([&] { candidates_of(grid); }), HasSubstr("fp31"));
}

TEST(SetupGrid, AProgramOfTheNetworkStandsForItsSetup) {
  const Model model = open_model("lenet5");
  SetupGrid grid;
  grid.batches = {16};
  grid.compiled = {false, true};
  std::vector<Candidate> candidates = candidates_of(grid);
  Program program;
  program.parameters = count(model, 1).parameters;
  program.setup = std::get<ampere::Setup>(candidates[1].how);
  add_program(candidates, "c.program", program, &model);
  EXPECT_TRUE(std::holds_alternative<Program>(candidates[1].how));
  EXPECT_EQ(candidates[1].name, "batch 16, sgd, fp32, compiled");
  EXPECT_THAT(said([&] { add_program(candidates, "d.program", program, &model); }),
              HasSubstr("d.program: another program was traced with batch 16"));
  program.setup->batch = 32;
  add_program(candidates, "e.program", program, &model);
  program.setup.reset();
  add_program(candidates, "mine.program", program, &model);
  EXPECT_THAT(names(candidates), ElementsAre("batch 16, sgd, fp32", "batch 16, sgd, fp32, compiled",
                                             "batch 32, sgd, fp32, compiled", "mine.program"));
  program.setup.emplace();
  ++program.parameters;
  EXPECT_THAT(said([&] { add_program(candidates, "f.program", program, &model); }),
              HasSubstr("f.program was traced from a network with"));
}

TEST(SetupGrid, RefusesMoreThanAThousandCombinations) {
  SetupGrid grid;
  for (std::int64_t batch = 1; batch <= 251; ++batch) grid.batches.push_back(batch);
  grid.precisions = {"fp32", "bf16"};
  grid.fused = {false, true};
  EXPECT_THAT(said([&] { candidates_of(grid); }), HasSubstr("more than 1000 combinations"));
  grid.batches.resize(250);
  EXPECT_EQ(candidates_of(grid).size(), 1000u);
}

}  // namespace
}  // namespace ampere
