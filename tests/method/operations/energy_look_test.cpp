// The energy of single operations, and what estimates and differences make of it.
#include "method/operations/energy_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "method/operations/program_difference.h"
#include "method/operations/rounded_types.h"
#include "method/operations/simulated.h"
#include "method/operations/simulated_profile.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kReady = 120;  // W

// Draws `watts` beside the ready power of the law while it works, and rests as long as it works.
class DrawingRig final : public Rig {
 public:
  DrawingRig(const WorkEnergyLaw& law, double watts) : law_(law), watts_(watts) {
    device_.name = "a GPU";
  }
  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override { return {Ability::idle, Ability::operation_energy}; }

  std::vector<OperationRequest> asked;

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    Window window;
    if (std::holds_alternative<IdleRequest>(request)) {
      window.time = Seconds(2);
      window.energy = Joules{2 * kReady};
      return window;
    }
    asked.push_back(std::get<OperationRequest>(request));
    const OperationRequest& one = asked.back();
    if (one.operation.name == "mm") throw Error(ErrorCode::failed, "out of memory");
    const double call_s = simulated_seconds(one.operation, one.tensors);
    window.iterations = 1000;
    window.time = Seconds(2000 * call_s);
    window.energy = Joules{1000 * call_s * (kReady + law_.ready_w + watts_)};
    Measurement measurement;
    measurement.windows = {window, window};
    summarize(measurement);
    return OperationMeasurement{measurement};
  }

  const WorkEnergyLaw& law_;
  double watts_;
  DeviceInfo device_;
};

class EnergyLookTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    profile = new OperationsProfile(simulated_general_profile().fitted);
  }
  static void TearDownTestSuite() { delete profile; }

  // With the times of all operations as they are.
  static ProgramEvidence timed(const Program& program) {
    ProgramEvidence evidence;
    evidence.timed = timed_operations(program, "");
    evidence.host_s = 1e-9;
    return evidence;
  }
  static std::vector<WeighedOperation> weighed(const Program& a, const Program& b,
                                               std::size_t count = 1000) {
    return weigh_operations(a, compose_program(a, *profile, timed(a)), b,
                            compose_program(b, *profile, timed(b)), count);
  }
  static inline OperationsProfile* profile = nullptr;
};

// One more call of a product at the end.
Program with_one_more(Program program) {
  for (std::size_t i = 0; i < program.operations.size(); ++i)
    if (program.operations[i].name == "mm") {
      program.steps.push_back({static_cast<int>(i), ProgramPhase::backward, 0});
      return program;
    }
  ADD_FAILURE() << "there is no product";
  return program;
}

TEST_F(EnergyLookTest, WhatDiffersComesBeforeWhatBothDo) {
  const Program before = random_program(3), after = with_one_more(before);
  const auto order = weighed(before, after);
  ASSERT_GT(order.size(), 3u);
  EXPECT_EQ(order.front().program->operations[order.front().operation].name, "mm");
  EXPECT_TRUE(order.front().was_timed);
  EXPECT_EQ(weighed(before, after, 2).size(), 2u);
  EXPECT_GT(weighed(before, before).size(), 3u) << "differences are related to what both do";
}

TEST_F(EnergyLookTest, RestIsNoPartOfTheEnergyOfACall) {
  const Program program = random_program(3);
  const Program after = with_one_more(program);
  const std::vector<WeighedOperation> all = weighed(program, after);
  DrawingRig rig(profile->laws.energy, 300);
  EXPECT_DOUBLE_EQ(look_at_ready_power(rig), kReady);
  const DrawnEnergies drawn = measure_operations(all, kReady, profile->laws.energy, rig);
  std::size_t products = 0;
  for (const WeighedOperation& each : all) {
    if (each.program->operations[each.operation].name == "mm") {
      ++products;
      EXPECT_FALSE(drawn.joules.contains(each.key));
      continue;
    }
    ASSERT_TRUE(drawn.joules.contains(each.key));
    EXPECT_NEAR(drawn.joules.at(each.key) / (300 * each.device_s), 1, 1e-6);
  }
  EXPECT_GT(products, 0u);
  EXPECT_EQ(drawn.failures.size(), products);
  EXPECT_EQ(drawn.failures.front(), "mm (out of memory)");
  EXPECT_EQ(rig.asked.size(), all.size());
  for (const OperationRequest& request : rig.asked)
    EXPECT_LE(request.tensors.size(), 6u) << "its own tensors alone are sent";
}

TEST_F(EnergyLookTest, ACallThatTakesNoMoreThanRestIsNotCounted) {
  const Program program = random_program(3);
  std::vector<WeighedOperation> all = weighed(program, program, 5);
  DrawingRig rig(profile->laws.energy, -400);
  const DrawnEnergies drawn = measure_operations(all, kReady, profile->laws.energy, rig);
  EXPECT_TRUE(drawn.joules.empty());
  EXPECT_EQ(drawn.failures.size(), all.size());
}

TEST_F(EnergyLookTest, MeasuredEnergyStandsForTheLaw) {
  const Program program = random_program(3, ElementType::bf16);
  ProgramEvidence evidence = timed(program);
  const ComposedProgram by_law = compose_program(program, *profile, evidence);
  const auto keys = operation_keys(program.operations, program.tensors);
  double drawn_j = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (by_law.mapped[i].source == TimeSource::none) continue;
    evidence.drawn_j[keys[i]] = 200 * by_law.mapped[i].device_s;
    drawn_j += by_law.counts[i] * evidence.drawn_j[keys[i]];
  }
  const ComposedProgram measured = compose_program(program, *profile, evidence);
  EXPECT_DOUBLE_EQ(measured.step.time_s, by_law.step.time_s);
  EXPECT_NEAR(
      measured.step.energy_j / (profile->laws.energy.ready_w * measured.step.time_s + drawn_j), 1,
      1e-9);
  double parts_j = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    parts_j += measured.counts[i] * measured.energy_j[i];
  EXPECT_NEAR(parts_j / measured.step.energy_j, 1, 1e-9);
}

TEST_F(EnergyLookTest, TheIntervalOfADifferenceIsNarrowerWhereItWasMeasured) {
  const Program before = random_program(3), after = with_one_more(before);
  ProgramEvidence evidence = timed(after);
  const auto difference = [&] {
    return program_difference(before, compose_program(before, *profile, evidence), after,
                              compose_program(after, *profile, evidence), *profile)
        .energy_j;
  };
  const auto keys = operation_keys(after.operations, after.tensors);
  const ComposedProgram composed = compose_program(after, *profile, evidence);
  const Quantity by_law = difference();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (composed.mapped[i].source != TimeSource::none)
      evidence.drawn_j[keys[i]] = 200 * composed.mapped[i].device_s;
  const Quantity measured = difference();
  EXPECT_LT(*measured.stddev / measured.mean, *by_law.stddev / by_law.mean);
  EXPECT_GT(*measured.stddev, 0);
  const ComposedProgram same = compose_program(after, *profile, evidence);
  const CostDifference none = program_difference(after, same, after, same, *profile);
  EXPECT_EQ(none.energy_j.mean, 0);
  EXPECT_EQ(*none.energy_j.stddev, 0);
}

TEST(RoundedTypes, AreThoseThatConversionsFrom16BitsMake) {
  ProgramBuilder builder("mixed");
  const Value half = builder.tensor(ElementType::bf16, {8, 8}),
              full = builder.tensor(ElementType::fp32, {8, 8}),
              other = builder.tensor(ElementType::fp32, {4, 4});
  builder.call("_to_copy", {half}, {full});
  builder.call("mul.Tensor", {full, full}, {full});
  builder.call("mul.Tensor", {other, other}, {other});
  builder.call("_foreach_add_.List", {{ValueList{full}}, {ValueList{full}}}, {});
  const RoundedTypes rounded(builder.program);
  EXPECT_FALSE(rounded.are_read_by(0)) << "it reads 16 bits";
  EXPECT_TRUE(rounded.are_read_by(1));
  EXPECT_FALSE(rounded.are_read_by(2));
  EXPECT_FALSE(rounded.are_read_by(3)) << "lists hold weights";
}

TEST(RoundedTypes, OneConversionAmongManyReadersIsNotEnough) {
  ProgramBuilder builder("mixed");
  const Value half = builder.tensor(ElementType::bf16, {8, 8}),
              full = builder.tensor(ElementType::fp32, {8, 8});
  builder.call("_to_copy", {half}, {full});
  for (int i = 0; i < 6; ++i) builder.call("mul.Tensor", {full, full}, {full});
  EXPECT_FALSE(RoundedTypes(builder.program).are_read_by(1));
}

}  // namespace
}  // namespace ampere
