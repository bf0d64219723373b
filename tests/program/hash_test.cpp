#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "program/operation_text.h"
#include "program/program_json.h"
#include "program/programs.h"

namespace ampere {
namespace {

using testing_support::tiny_program;

TEST(ProgramHash, DoesNotDependOnOrderPhasesModulesAndNumbering) {
  const Program program = tiny_program();
  Program other = program;
  other.name = "other";
  other.origin.device = "cpu";
  std::ranges::reverse(other.steps);
  for (ProgramStep& step : other.steps) step = {step.operation, ProgramPhase::backward, 0};
  other.storages.clear();
  EXPECT_EQ(program_hash(other), program_hash(program));

  std::ranges::reverse(other.operations);
  for (ProgramStep& step : other.steps) step.operation = 1 - step.operation;
  other.tensors.insert(other.tensors.begin(), TensorType{});
  for (Operation& operation : other.operations)
    for (ValueList* values : {&operation.arguments, &operation.results})
      for (Value& value : *values) ++std::get<TensorIndex>(value.is).index;
  EXPECT_EQ(program_hash(other), program_hash(program));
}

TEST(ProgramHash, DependsOnOperationsAndHowOftenTheyAreCalled) {
  const Program program = tiny_program();
  Program more = program;
  more.steps.push_back(more.steps.back());
  EXPECT_NE(program_hash(more), program_hash(program));
  Program wider = program;
  wider.tensors[1].sizes[0] = 16;
  EXPECT_NE(program_hash(wider), program_hash(program));
  Program otherwise_called = program;
  otherwise_called.operations[1].arguments.push_back({1.0});
  Program whole = program;
  whole.operations[1].arguments.push_back({std::int64_t{1}});
  EXPECT_NE(program_hash(otherwise_called), program_hash(program));
  EXPECT_NE(program_hash(otherwise_called), program_hash(whole));
  Program in_tf32 = program, without = program;
  in_tf32.operations[0].tf32 = true;
  without.operations[0].tf32 = false;
  EXPECT_NE(program_hash(in_tf32), program_hash(program));
  EXPECT_NE(program_hash(without), program_hash(program));
  EXPECT_NE(program_hash(without), program_hash(in_tf32));
}

TEST(ProgramHash, IsTheSameBeforeAndAfterAFile) {
  Program program = tiny_program();
  for (const double number : std::vector<double>{INFINITY, -INFINITY, NAN, 1e-5, 3})
    program.operations[0].arguments.push_back({number});
  EXPECT_EQ(program_hash(parse_program(to_json(program), "a file")), program_hash(program));
}

// A text has the types of tensors as a file has them.
TEST(OperationTexts, HaveTypesAsTheyAreInAFile) {
  const std::vector<TensorType> tensors{{ElementType::fp32, {}, {}},
                                        {ElementType::bf16, {2, 3, 4}, {12, 4, 1}},
                                        {ElementType::fp32, {2, 3}, {1, 2}},
                                        {ElementType::fp32, {0}, {1}}};
  OperationTexts texts(tensors);
  for (int i = 0; i < 4; ++i) {
    Operation operation;
    operation.name = "relu";
    operation.arguments.push_back({TensorIndex{i}});
    EXPECT_THAT(
        texts.of(operation),
        testing::HasSubstr(
            "relu(" +
            tensors_json(std::span(tensors).subspan(static_cast<std::size_t>(i), 1)).dump()));
  }
}

TEST(ProgramHash, IsTheSameInEveryVersion) {
  EXPECT_EQ(program_hash(tiny_program()), "b0522f3808359c75");
}

}  // namespace
}  // namespace ampere
