#include <gmock/gmock.h>

#include "program/programs.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing_support::tiny_program;

TEST(ProgramMemory, IsThatOfTheWorstStep) {
  Program program = tiny_program();
  program.steps.resize(4, program.steps.front());
  program.storages = {{100, -1, std::nullopt, StorageKind::weight},
                      {50, 0, 2, StorageKind::activation},
                      {30, 1, 2, StorageKind::gradient},
                      {70, 2, std::nullopt, StorageKind::activation},
                      {9, -1, 1, StorageKind::input}};
  const auto peak = peak_memory(program);
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->bytes, 180);
  EXPECT_EQ(peak->step, 1);
  EXPECT_THAT(peak->by_kind, ElementsAre(100, 30, 0, 0, 50));
}

TEST(ProgramMemory, WhatIsFreedBeforeAStepIsNotThereWithWhatItAllocates) {
  Program program = tiny_program();
  program.storages = {{100, 0, 1, StorageKind::activation}, {100, 1, 2, StorageKind::activation}};
  EXPECT_EQ(peak_memory(program)->bytes, 100);
}

TEST(ProgramMemory, IsUnknownWithoutStorages) {
  Program program = tiny_program();
  program.storages.clear();
  EXPECT_FALSE(peak_memory(program));
}

}  // namespace
}  // namespace ampere
