#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/loose_module.h"
#include "ampere/error.h"
#include "ampere/estimate.h"
#include "ampere/widths.h"
#include "base/stats.h"
#include "method/ampere/fit.h"
#include "method/dual/dual.h"
#include "method/proxies/proxies.h"
#include "profiles.h"
#include "prune/search/width_search.h"

namespace ampere {
namespace {

void expect_equal(WidthJudge& judge, const Estimator& estimator, const WidthSpace& space,
                  int networks) {
  std::vector<std::vector<std::int64_t>> list = draw_widths(space, networks, 11);
  list.push_back(original_widths(space));
  for (const auto& widths : list) {
    const Estimate expected = estimator.estimate(with_widths(space.original, widths), {});
    const std::optional<Judgement> found = judge.judge(widths);
    ASSERT_TRUE(expected.energy_j_per_iteration);
    ASSERT_TRUE(found);
    const Quantity energy = *expected.energy_j_per_iteration;
    EXPECT_NEAR(found->energy_j / energy.mean, 1, 1e-9);
    EXPECT_NEAR(found->energy_sd / energy.stddev.value(), 1, 1e-9);
    EXPECT_NEAR(found->time_s.value() / expected.time_s_per_iteration->mean, 1, 1e-9);
    EXPECT_EQ(found->extrapolated, std::ranges::any_of(expected.parts, &Part::extrapolated));
  }
}

TEST(DualJudge, SaysWhatTheEstimatorSays) {
  const struct {
    const char *device, *spec;
    std::int64_t batch;
  } cases[] = {
      {"server", "cnn5", 128},    {"server", "lenet5", 10},      {"xavier", "cnn5", 10},
      {"server", "resnet18", 16}, {"server", "transformer", 32}, {"server", "lstm", 10},
      {"xavier", "lenet5", 32},   {"ideal", "cnn5", 10},         {"server", "mobilenet_v2", 8}};
  for (const auto& [device, spec, batch] : cases) {
    SCOPED_TRACE(std::string(device) + " " + spec);
    const SharedDualModel model = dual_profile(device, spec, batch);
    const WidthSpace space = make_space(open_model(spec));
    const auto estimator = make_dual_estimator(model);
    expect_equal(*estimator->judge(space.original), *estimator, space, 20);
  }
}

TEST(DualJudge, WithTablesItSaysNearlyTheSame) {
  const WidthSpace space = make_space(open_model("resnet18"));
  const auto estimator = make_dual_estimator(dual_profile("server", "resnet18", 16));
  const auto exact = estimator->judge(space.original), fast = estimator->judge(space.original);
  fast->tabulate();
  auto networks = draw_widths(space, 5, 3);
  networks.push_back(original_widths(space));
  for (int time = 0; time < 30; ++time)
    for (auto widths : networks) {
      widths[0] = 32 + time;
      fast->expect(networks.front());
      const Judgement one = *exact->judge(widths), other = *fast->judge(widths);
      ASSERT_NEAR(other.energy_j / one.energy_j, 1, 1e-9);
      ASSERT_NEAR(other.energy_sd / one.energy_sd, 1, 1e-8);
      ASSERT_EQ(exact->judge(widths)->energy_j, one.energy_j) << "the exact judge has no memory";
    }
}

TEST(AmpereJudge, SaysWhatTheEstimatorSays) {
  for (const char* spec : {"cnn5", "lenet5", "resnet18", "transformer", "lstm", "mobilenet_v2"}) {
    SCOPED_TRACE(spec);
    const WidthSpace space = make_space(open_model(spec));
    const Fits fits = curved_fits({space.original});
    const auto estimator = make_ampere_estimator(fits);
    expect_equal(*estimator->judge(space.original), *estimator, space, 20);
  }
}

TEST(FlopsJudge, IsInProportionToTheFlopsAndCertain) {
  for (const char* spec : {"cnn5", "resnet18", "densenet121"}) {
    const WidthSpace space = make_space(open_model(spec));
    const auto judge = make_flops_judge(space.original, 32, 5);
    EXPECT_NEAR(judge->judge(original_widths(space))->energy_j, 5, 1e-9);
    const auto drawn = draw_widths(space, 3, 1);
    for (const auto& widths : drawn) {
      const double share =
          static_cast<double>(count(with_widths(space.original, widths), 32).training_flops) /
          static_cast<double>(count(space.original, 32).training_flops);
      const Judgement cost = *judge->judge(widths);
      EXPECT_NEAR(cost.energy_j, 5 * share, 1e-9);
      EXPECT_EQ(cost.energy_sd, 0);
      EXPECT_FALSE(cost.time_s);
      double parts = 0;
      const CostCauses causes = judge->causes(widths);
      for (const CostPart& part : causes.parts) parts += part.energy_j;
      EXPECT_NEAR(parts, cost.energy_j, 1e-9);
    }
  }
  EXPECT_THROW(make_flops_judge(open_model("cnn5"), 0, 1), Error);
  EXPECT_THROW(make_flops_judge(open_model("cnn5"), 1, 0), Error);
  EXPECT_THROW(make_flops_judge(open_model("cnn5"), 1, NAN), Error);
}

TEST(WidthJudge, WhatTheProfileLacksIsNamed) {
  const Model other = open_model("lenet5");
  const auto expect_unknown = [&](const auto& make) {
    try {
      make();
      ADD_FAILURE() << "a judge of unknown blocks";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown);
      EXPECT_THAT(error.what(), testing::HasSubstr(parse_blocks(other)[0].kind->title));
    }
  };
  expect_unknown([&] { make_dual_estimator(dual_profile("server", "cnn5", 128))->judge(other); });
  expect_unknown([&] { make_ampere_estimator(curved_fits({open_model("cnn5")}))->judge(other); });
}

TEST(WidthJudge, ANetworkWithAnUnknownBlockHasNoCost) {
  ModelBuilder builder("loose");
  testing_support::add_loose_module(builder);
  builder.add(AdaptivePool{{1, 1}});
  builder.add(Flatten{});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  const auto judge = make_ampere_estimator(curved_fits({model}))->judge(model);
  EXPECT_TRUE(judge->judge(std::vector<std::int64_t>{12, 7, 20}));
  EXPECT_FALSE(judge->judge(std::vector<std::int64_t>{2, 4, 20})) << "4 = 2·2 is another kind";
}

TEST(WidthJudge, TheUpperBoundIsOneSided) {
  const Judgement cost{10, 2, {}, false};
  EXPECT_NEAR(upper_j(cost, 0.95), 10 + 1.6448536 * 2, 1e-6);
  EXPECT_NEAR(upper_j(cost, 0.5), 10, 1e-9);
}

TEST(DualJudge, KnowsWhyANetworkCostsWhatItDoes) {
  const WidthSpace space = make_space(open_model("lenet5"));
  const auto judge =
      make_dual_estimator(dual_profile("server", "lenet5", 10))->judge(space.original);
  const CostCauses causes = judge->causes(original_widths(space));
  EXPECT_GT(causes.waiting_share.value(), 0.1) << "lenet5 waits for the host";
  EXPECT_LT(*causes.waiting_share, causes.ready_share.value());
  EXPECT_LT(*causes.ready_share, 1);
  ASSERT_GT(causes.parts.size(), 1u);
  EXPECT_GE(causes.parts[0].energy_j, causes.parts[1].energy_j);
}

}  // namespace
}  // namespace ampere
