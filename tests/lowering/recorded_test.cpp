// Lowered programs against recordings of PyTorch 2.11 on a GPU (data/programs).
#include <gtest/gtest.h>

#include <filesystem>

#include "lowering/program_text.h"

namespace ampere {
namespace {

TEST(RecordedPrograms, AreWhatNetworksBecomeWithoutAFramework) {
  int compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(AMPERE_DATA "/programs")) {
    const Program traced = load_program(file.path());
    ASSERT_TRUE(traced.setup.has_value()) << file;
    const Program lowered = lower(open_model(traced.name), *traced.setup);
    EXPECT_EQ(testing_support::difference(traced, lowered), "") << file;
    EXPECT_EQ(lowered.parameters, traced.parameters) << file;
    EXPECT_EQ(lowered.samples, traced.samples) << file;
    ++compared;
  }
  EXPECT_EQ(compared, 48);
}

}  // namespace
}  // namespace ampere
