// Lowered programs against recordings of PyTorch 2.11 on a GPU (data/programs).
#include <gtest/gtest.h>

#include <filesystem>

#include "lowering/program_text.h"

namespace ampere {
namespace {

using testing_support::Steps;

// Of the steps that launch work.
std::vector<std::string> modules_of_steps(const Program& program) {
  std::vector<std::string> modules;
  for (const ProgramStep& step : program.steps)
    if (program.operations[step.operation].launches)
      modules.push_back(program.modules[step.module]);
  return modules;
}

std::vector<int> steps_that_wait(const Program& program) {
  std::vector<int> waiting;
  for (int i = 0; i < static_cast<int>(program.steps.size()); ++i)
    if (program.operations[program.steps[i].operation].waits) waiting.push_back(i);
  return waiting;
}

TEST(RecordedPrograms, AreWhatNetworksBecomeWithoutAFramework) {
  int compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(AMPERE_DATA "/programs")) {
    const Program traced = load_program(file.path());
    ASSERT_TRUE(traced.setup.has_value()) << file;
    const Program lowered = lower(open_model(traced.name), *traced.setup);
    EXPECT_EQ(testing_support::difference(traced, lowered, Steps::all), "") << file;
    EXPECT_EQ(modules_of_steps(lowered), modules_of_steps(traced)) << file;
    EXPECT_EQ(steps_that_wait(lowered), steps_that_wait(traced)) << file;
    EXPECT_EQ(lowered.parameters, traced.parameters) << file;
    EXPECT_EQ(lowered.samples, traced.samples) << file;
    EXPECT_EQ(lowered.module_calls, traced.module_calls) << file;
    ++compared;
  }
  EXPECT_EQ(compared, 71);
}

}  // namespace
}  // namespace ampere
