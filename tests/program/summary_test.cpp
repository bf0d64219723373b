#include "program/summary.h"

#include <gmock/gmock.h>

#include "program/programs.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing_support::tiny_program;

Program with_modules(std::vector<std::string> modules) {
  Program program = tiny_program();
  program.modules = std::move(modules);
  program.steps.clear();
  for (int module = 0; module < static_cast<int>(program.modules.size()); ++module)
    program.steps.push_back({1, ProgramPhase::forward, module});
  return program;
}

TEST(ProgramSummary, AddsUpSteps) {
  Program program = tiny_program();
  program.steps.push_back(program.steps.back());
  const ProgramSummary summary = summarize(program);
  EXPECT_EQ(summary.total.steps, 3);
  EXPECT_EQ(summary.total.launching, 2);
  EXPECT_EQ(summary.total.flops, 2 * 576);
  ASSERT_EQ(summary.groups.size(), 2u);
  EXPECT_EQ(summary.groups[0].group, OperationGroup::product);
  EXPECT_EQ(summary.groups[0].distinct, 1);
  EXPECT_EQ(summary.groups[1].group, OperationGroup::view);
  EXPECT_EQ(summary.operations.at(0).operation, 1) << "the largest first";
}

TEST(ProgramSummary, OperationsThatNeverRunAreLeftOut) {
  Program program = tiny_program();
  program.steps.pop_back();
  EXPECT_EQ(summarize(program).operations.size(), 1u);
}

TEST(ProgramSummary, AModuleContainsWhatIsInsideIt) {
  const ProgramSummary summary = summarize(
      with_modules({"", "stem", "layer.0.conv", "head", "layer.1", "layer.0.norm.scale"}));
  std::vector<std::string> rows;
  for (const ModuleWork& module : summary.modules)
    rows.push_back(module.path + " " + std::to_string(module.work.steps));
  EXPECT_THAT(rows, ElementsAre("stem 1", "layer 3", "layer.0 2", "layer.1 1", "head 1"));
}

TEST(ProgramSummary, OddPathsOfModulesAreSurvived) {
  EXPECT_NO_THROW(summarize(with_modules({"", ".", "..", "a.", ".a", "a..b", "a"})));
}

TEST(ProgramSummary, ACallIsWrittenByItsTensors) {
  const Program program = tiny_program();
  EXPECT_EQ(call_text(program.operations[1], program.tensors),
            "addmm(fp32[4], fp32[8,9], fp32[9,4])");
}

}  // namespace
}  // namespace ampere
