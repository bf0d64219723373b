// Session::generation: which programs it takes, and what it says once for all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/simulated.h"
#include "support/code_of.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::ProgramBuilder;

// Rows of a product, then an operation that no profile knows, which reads as much.
Program call_of(GenerationStep step, ElementType format = ElementType::bf16,
                const std::string& name = "model") {
  ProgramBuilder builder(name);
  const std::int64_t rows = step.batch * step.tokens;
  const Value a = builder.tensor(format, {rows, 512}), b = builder.tensor(format, {512, 512});
  builder.call("mm", {a, b}, {builder.tensor(format, {rows, 512})});
  builder.call("mylib.rotate", {b}, {b});
  builder.program.generation = step;
  return builder.program;
}

std::vector<Program> calls() {
  return {call_of({GenerationStage::prefill, 4, 16, 0}),
          call_of({GenerationStage::decode, 4, 1, 16}),
          call_of({GenerationStage::decode, 4, 1, 17})};
}

GenerationTask three_tokens() {
  GenerationTask task;
  task.prompt = 16;
  task.new_tokens = 3;
  return task;
}

GenerationAnswer answer(const std::vector<Program>& programs) {
  const Session session(open_store("memory:"));
  ProfileQuery query;
  query.device = "h200";
  return session.generation(three_tokens(), programs, query);
}

TEST(GenerationOfASession, SaysWhatItRestsOn) {
  const GenerationAnswer generated = answer(calls());
  EXPECT_EQ(generated.name, "model");
  EXPECT_EQ(generated.method, "operations");
  EXPECT_EQ(generated.number_format, "bf16");
  EXPECT_EQ(generated.source, Source::measured);
  EXPECT_EQ(generated.profile.row.shipped, "h200");
  ASSERT_EQ(generated.costs.batches.size(), 1u);
  EXPECT_GT(generated.costs.batches[0].energy_j_per_new_token->mean, 0);
  EXPECT_FALSE(generated.costs.batches[0].peak_bytes) << "no allocations, no peak";
}

TEST(GenerationOfASession, SaysOnceWhatHoldsForSeveralCalls) {
  const std::vector<std::string> warnings = answer(calls()).costs.warnings;
  const auto saying = [&](const char* text) {
    return std::ranges::count_if(
        warnings, [&](const std::string& each) { return each.find(text) != std::string::npos; });
  };
  EXPECT_EQ(saying("rests on training iterations"), 1);
  EXPECT_EQ(saying("no operation mylib.rotate was timed"), 1);
}

TEST(GenerationOfASession, TakesOnlyCallsOfOneModel) {
  std::vector<Program> programs = calls();
  programs[1].name = "other";
  EXPECT_THAT(error_of([&] { answer(programs); }).what(), HasSubstr("different models"));
  programs = calls();
  programs[2].generation.reset();
  EXPECT_THAT(error_of([&] { answer(programs); }).what(),
              HasSubstr("model: is one training iteration, and neither a prefill nor a decode"));
  EXPECT_EQ(code_of([&] { answer({}); }), ErrorCode::usage);
}

TEST(GenerationOfASession, RefusesAFormatThatTheProfileLacks) {
  std::vector<Program> programs = calls();
  programs[2] = call_of(*programs[2].generation, ElementType::fp8);
  const Error error = error_of([&] { answer(programs); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("multiplies numbers in fp8"));
}

}  // namespace
}  // namespace ampere
