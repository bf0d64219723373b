// Session::generation: which programs it takes, and what it says once for all of them; and
// Session::refine_generation, on a simulated device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/simulated.h"
#include "method/operations/simulated_profile.h"
#include "support/code_of.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::ProgramBuilder;
using testing_support::simulated_general_profile;
using testing_support::simulated_seconds;

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

// The simulated device, on which every call takes so long.
class RigAtHand final : public Rig {
 public:
  explicit RigAtHand(DeviceInfo device) : device_(std::move(device)) {}
  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override { return {Ability::operations, Ability::scripts}; }

  double prefill_s = 4e-3, decode_s = 3e-3;  // 0: it fails
  // Of the host, each time that a stage is looked at. No two real looks are equal.
  std::vector<double> slowdowns{1, 1.002, 0.998, 1};
  std::vector<std::string> traced, measured;
  std::size_t timed = 0, measured_before_timing = 0;

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    if (const auto* times = std::get_if<OperationTimesRequest>(&request)) return time_each(*times);
    if (const auto* trace = std::get_if<TraceRequest>(&request)) {
      EXPECT_EQ(trace->number_format, "bf16");
      traced.push_back(to_string(*trace->generation));
      return Trace{call_of(*trace->generation), {}};
    }
    const auto& script = std::get<ScriptRequest>(request);
    EXPECT_EQ(script.number_format, "bf16");
    measured.push_back(to_string(*script.generation));
    const double seconds =
        (script.generation->stage == GenerationStage::decode ? decode_s : prefill_s) *
        slowdowns.at((measured.size() - 1) / 2 % slowdowns.size());
    if (!(seconds > 0)) throw Error(ErrorCode::failed, "out of memory");
    Measurement measurement;
    Window window;
    window.iterations = 1;
    window.time = Seconds(seconds);
    window.energy = Joules{100 * seconds};
    measurement.windows = {window};
    summarize(measurement);
    return ScriptMeasurement{measurement, {}};
  }

  OperationTimes time_each(const OperationTimesRequest& request) {
    measured_before_timing = measured.size();
    OperationTimes times;
    for (const Operation& operation : request.operations) {
      ++timed;
      times.each.emplace_back(
          StepTimes{Seconds(simulated_seconds(operation, request.tensors)), Seconds(5e-6)});
    }
    return times;
  }

  DeviceInfo device_;
};

class GenerationAtHand : public testing::Test {
 protected:
  static void SetUpTestSuite() { general = new GeneralProfile(simulated_general_profile()); }
  static void TearDownTestSuite() { delete general; }
  GenerationAtHand() { session.keep_general(to_json(*general), "test"); }

  GenerationAnswer refined(const std::vector<Program>& programs = calls()) {
    return session.refine_generation(three_tokens(), programs,
                                     ModelScript{Script{"gpt.py", "build"}, "bf16"}, {},
                                     {rig, "test"});
  }
  static double between(const GenerationAnswer& answer) {
    return answer.costs.batches.at(0).between_tokens_s->mean;
  }
  static double width(const GenerationAnswer& answer) {
    const Interval& time = *answer.costs.batches.at(0).between_tokens_s;
    return time.high / time.low;
  }
  static double first(const GenerationAnswer& answer) {
    return answer.costs.batches.at(0).first_token_s.mean;
  }

  static inline GeneralProfile* general = nullptr;
  Session session{open_store("memory:")};
  RigAtHand rig{general->device};
};

TEST_F(GenerationAtHand, TakesAsLongAsTheHostThatWasLookedAt) {
  const GenerationAnswer answer = refined();
  // One sequence, as few tokens as there are, both stages by turns.
  const std::vector<std::string> both{"prefill, batch 1, prompt 16", "decode, batch 1, context 16"};
  EXPECT_EQ(rig.traced, both);
  ASSERT_EQ(rig.measured.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(rig.measured[i], both[i % 2]);
  EXPECT_EQ(rig.measured_before_timing, 4u) << "some seconds lie between the looks";
  EXPECT_NEAR(between(answer) / 3e-3, 1, 0.05) << "not mixed with the host of the profile";
  EXPECT_NEAR(first(answer) / 4e-3, 1, 0.05);
  ASSERT_TRUE(answer.at_hand);
  ASSERT_EQ(answer.at_hand->host.size(), 2u);
  EXPECT_EQ(answer.at_hand->host[0].times, 4);
  EXPECT_TRUE(answer.at_hand->host[0].is_used && answer.at_hand->host[1].is_used);
  EXPECT_NEAR(answer.at_hand->host[1].energy_j.mean, 0.3, 1e-9);
  const GenerationAnswer alone = session.generation(three_tokens(), calls(), {});
  EXPECT_FALSE(alone.at_hand);
  EXPECT_LT(width(answer), width(alone));
}

TEST_F(GenerationAtHand, AHostThatChangesWidensTheIntervals) {
  const GenerationAnswer steady = refined();
  rig.slowdowns = {1, 1.01, 1.3, 1.2};
  const GenerationAnswer changing = refined();
  EXPECT_NEAR(between(changing) / 3e-3, 1.125, 0.06) << "their mean";
  EXPECT_GT(changing.at_hand->host[1].time_s.stddev, 0.3e-3);
  EXPECT_GT(width(changing), 1.3 * width(steady));
  rig.slowdowns = {1, 1.01, 1.9, 1.6};
  EXPECT_GT(width(refined()), 1.3 * width(changing));
}

TEST_F(GenerationAtHand, ALookThatARecordingRepeatsIsNoOtherLook) {
  rig.slowdowns = {1};
  const GenerationAnswer answer = refined();
  EXPECT_EQ(rig.measured.size(), 4u);
  EXPECT_EQ(answer.at_hand->host[1].times, 1);
  EXPECT_NEAR(between(answer) / 3e-3, 1, 0.05);
}

TEST_F(GenerationAtHand, TimesWhatSeveralCallsExecuteOnce) {
  const GenerationAnswer answer = refined();
  EXPECT_EQ(rig.timed, 3u) << "two products, and an operation that all of them have";
  EXPECT_EQ(answer.at_hand->timed_operations, 3u);
  const IterationDetails& decode = *answer.costs.batches.at(0).decode;
  EXPECT_NEAR(decode.share_of_source[static_cast<std::size_t>(TimeSource::timed)], 1, 1e-9);
}

TEST_F(GenerationAtHand, LooksAtACallThatWasTracedAnyway) {
  std::vector<Program> programs = calls();
  for (Program& program : programs) program.generation->batch = 1;
  refined(programs);
  EXPECT_THAT(rig.traced, testing::IsEmpty());
  EXPECT_EQ(rig.measured.size(), 8u);
}

TEST_F(GenerationAtHand, OneStageStandsInForTheOther) {
  rig.prefill_s = 0;
  const GenerationAnswer answer = refined();
  EXPECT_NEAR(first(answer) / 3e-3, 1, 0.05) << "it calls as many operations";
  EXPECT_THAT(answer.costs.warnings,
              testing::Contains(HasSubstr("the host could not be measured: out of memory")));
}

TEST_F(GenerationAtHand, WhatTheDeviceDecidesSaysNothingOfTheHost) {
  rig.prefill_s = rig.decode_s = 1e-6;
  const GenerationAnswer answer = refined();
  EXPECT_FALSE(answer.at_hand->host.at(0).is_used);
  EXPECT_THAT(answer.costs.warnings,
              testing::Contains(HasSubstr("so the host of this machine is not known by it")));
  EXPECT_GT(between(answer), 5e-6);
}

TEST_F(GenerationAtHand, WithoutAModelOnlyOperationsAreTimed) {
  const GenerationAnswer answer =
      session.refine_generation(three_tokens(), calls(), {}, {}, {rig, "test"});
  EXPECT_EQ(rig.timed, 3u);
  EXPECT_THAT(rig.measured, testing::IsEmpty());
  EXPECT_THAT(answer.costs.warnings, testing::Contains(HasSubstr("the host was not measured")));
}

TEST_F(GenerationAtHand, NeedsTheDeviceOfTheProfile) {
  ProfileQuery query;
  query.device = "h200";
  const Error error = error_of([&] {
    session.refine_generation(three_tokens(), calls(), {}, query, {rig, "test"});
  });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("the rig is simulated accelerator"));
}

}  // namespace
}  // namespace ampere
