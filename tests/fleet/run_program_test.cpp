#include "rig/run_program.h"

#include <gtest/gtest.h>

#include <atomic>

#include "../support/code_of.h"

namespace ampere {
namespace {

using testing_support::code_of;

constexpr Seconds kLong{60};

TEST(RunProgram, GivesOutputErrorsAndStatus) {
  const ProgramEnd end = run_program({"sh", "-c", "cat; echo no >&2; exit 3"}, "in", kLong);
  EXPECT_EQ(end.out, "in");
  EXPECT_EQ(end.err, "no\n");
  EXPECT_EQ(end.status, 3);
}

TEST(RunProgram, TakesArgumentsAsTheyAre) {
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$HOME", "'"}, "", kLong).out, "a b|$HOME|'|");
}

// More than a pipe holds, in both directions at once.
TEST(RunProgram, PassesMoreThanAPipeHolds) {
  const std::string input(3'000'000, 'x');
  EXPECT_EQ(run_program({"cat"}, input, kLong).out, input);
}

TEST(RunProgram, AProgramThatDoesNotReadItsInputIsNoError) {
  EXPECT_EQ(run_program({"true"}, std::string(1'000'000, 'x'), kLong).status, 0);
}

TEST(RunProgram, GivesUpOnOneThatNeverEnds) {
  EXPECT_EQ(code_of([] { run_program({"sleep", "100"}, "", Seconds(0.2)); }), ErrorCode::failed);
}

TEST(RunProgram, StopsWhenAskedTo) {
  const std::atomic<bool> stop{true};
  EXPECT_EQ(code_of([&] {
              run_program({"sleep", "100"}, "", kLong, StopToken(stop));
            }),
            ErrorCode::interrupted);
}

TEST(RunProgram, ReportsTheSignalThatKilledIt) {
  EXPECT_EQ(run_program({"sh", "-c", "kill -9 $$"}, "", kLong).status, 128 + 9);
}

}  // namespace
}  // namespace ampere
