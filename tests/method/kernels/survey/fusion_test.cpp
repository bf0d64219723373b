#include "method/kernels/survey/fusion_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig/sim.h"
#include "small_networks.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

// Costs with standard errors of a per mille, unless told otherwise; times say the same.
FusionTest costing(double together, double first, double second, int rounds = 1,
                   const Quantity& one = {1, 1e-3}) {
  const auto cost = [&](double mean) {
    Quantity scaled{mean, one.stddev, one.degrees};
    if (scaled.stddev) *scaled.stddev *= mean;
    return RunCost{scaled, scaled};
  };
  FusionTest test;
  test.pair = {"conv", "relu"};
  test.together = cost(together), test.apart_first = cost(first), test.apart_second = cost(second);
  test.rounds = rounds;
  return test;
}

TEST(FusionDecision, WhatIsSavedBeyondNoiseIsFused) {
  FusionTest fused = costing(10.1, 10, 3), apart = costing(13, 10, 3);
  decide(fused, {});
  decide(apart, {});
  EXPECT_TRUE(fused.decided && fused.fused);
  EXPECT_TRUE(apart.decided);
  EXPECT_FALSE(apart.fused);
}

TEST(FusionDecision, WhatIsWithinNoiseStaysOpen) {
  FusionTest test = costing(11.5, 10, 3);
  decide(test, {});
  EXPECT_FALSE(test.decided);
  EXPECT_THAT(test.note, HasSubstr("within noise"));
}

TEST(FusionDecision, TheUnknownScatterOfOneWindowDecidesNothing) {
  FusionTest many = costing(10.1, 10, 3, 1, {1, 0.016}), one = costing(10.1, 10, 3, 1, {1});
  for (FusionTest* test : {&many, &one}) decide(*test, {});
  EXPECT_TRUE(many.decided);
  EXPECT_FALSE(one.decided);
}

TEST(RunCost, KnowsItsErrorFromRepeatsWhereOneWindowDoesNotTell) {
  Observation once;
  once.measurement = Measurement{};
  once.measurement->energy_j = {1};
  once.measurement->time_s = {1};
  EXPECT_FALSE(run_cost_of(std::vector{once})->energy_j.stddev);
  Observation again = once;
  again.measurement->energy_j.mean = 3;
  const Quantity both = run_cost_of(std::vector{once, again})->energy_j;
  EXPECT_EQ(both.mean, 2);
  EXPECT_EQ(both.stddev, 1);
  EXPECT_EQ(both.degrees, 1);
}

TEST(FusionDecision, MoreMeasurementsDecideWhatOneDoesNot) {
  FusionTest once = costing(11.2, 10, 3), often = costing(11.2, 10, 3, 16);
  decide(once, {});
  decide(often, {});
  EXPECT_FALSE(once.decided);
  EXPECT_TRUE(often.decided);
  EXPECT_TRUE(often.fused);
}

// Two that are run apart pay it twice: with it in the costs they would look fused.
TEST(FusionDecision, TheOverheadOfAnInferenceIsNoSaving) {
  const InferenceOverhead overhead{{5, 0.01}, {5, 0.01}};
  FusionTest test = costing(5 + 4, 5 + 2, 5 + 2, 4);
  decide(test, {});
  EXPECT_TRUE(test.fused);
  decide(test, overhead);
  EXPECT_TRUE(test.decided);
  EXPECT_FALSE(test.fused);
}

TEST(FusionDecision, WhatCostsNoMoreThanNothingCannotBeDecided) {
  FusionTest test = costing(9, 9, 4);
  decide(test, InferenceOverhead{{5, 0.01}, {5, 0.01}});
  EXPECT_FALSE(test.decided);
  EXPECT_THAT(test.note, HasSubstr("inference of nothing"));
}

FusionFindings found_on(const std::string& device) {
  const auto rig = open_sim_rig(device, 1);
  const auto store = open_store("memory:");
  const ampere::Setup setup = inference_setup();
  const testing_support::TestBench bench{*rig, *store, setup};
  Campaign campaign = bench.campaign();
  const Model network = testing_support::small_network(32, 112);
  const auto plan = plan_fusion(std::span(&network, 1), *store, campaign.profile(), setup,
                                SurveyOptions{}.precision);
  campaign.run(*plan);
  return plan->findings();
}

std::vector<std::string> fused_in(const FusionFindings& findings) {
  std::vector<std::string> fused;
  for (const FusionTest& test : findings.tests)
    if (test.fused) fused.push_back(test.pair.first + "+" + test.pair.second);
  return fused;
}

TEST(FusionTesting, FindsWhatTheSimulatedPhonesFuse) {
  for (const char* phone : {"oppo", "iphone"}) {
    const FusionFindings findings = found_on(phone);
    EXPECT_EQ(findings.tests.size(), 6u);
    EXPECT_THAT(fused_in(findings), UnorderedElementsAre("conv+bn", "bn+relu", "dwconv+bn"))
        << phone;
    for (const FusionTest& test : findings.tests)
      EXPECT_TRUE(test.decided) << phone << " " << test.pair.first << "+" << test.pair.second
                                << ": " << test.note;
    EXPECT_FALSE(findings.rules.fuses("add", "relu"));
    EXPECT_TRUE(findings.rules.fuses("gconv", "bn")) << "an untested pair stays as usual";
    EXPECT_GT(findings.overhead.value().time_s.mean, 0);
  }
}

TEST(FusionTesting, FindsThatTheSimulatedJetsonFusesNothing) {
  const FusionFindings findings = found_on("xavier");
  EXPECT_EQ(findings.tests.size(), 6u);
  EXPECT_THAT(fused_in(findings), testing::IsEmpty());
  for (const FusionTest& test : findings.tests)
    EXPECT_TRUE(test.decided) << test.pair.first << "+" << test.pair.second << ": " << test.note;
}

}  // namespace
}  // namespace ampere
