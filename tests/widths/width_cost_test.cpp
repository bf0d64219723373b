// The cost between whole widths, of a judge whose law is known.
#include "widths/width_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/dual/dual.h"
#include "profiles.h"

namespace ampere {
namespace {

double energy_of(double a, double b) { return 1 + 0.01 * a * b + std::sqrt(a); }

// Two widths; its interval is normal, or from half to twice the energy.
class KnownJudge final : public WidthJudge {
 public:
  explicit KnownJudge(bool normal) : normal_(normal) {}
  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    const double energy = energy_of(static_cast<double>(widths[0]), static_cast<double>(widths[1]));
    return Judgement{energy, 0.1 * energy, 2 * energy, false};
  }
  std::optional<Interval> energy_interval(std::span<const std::int64_t> widths,
                                          double confidence) override {
    if (normal_) return std::nullopt;
    const double energy = judge(widths)->energy_j;
    return Interval{energy, energy / 2, 2 * energy, confidence};
  }
  CostCauses causes(std::span<const std::int64_t>) override { return {}; }

 private:
  bool normal_;
};

WidthCost cost_of(bool normal) {
  std::vector<std::unique_ptr<WidthJudge>> judges;
  for (int i = 0; i < 2; ++i) judges.push_back(std::make_unique<KnownJudge>(normal));
  ModelBuilder builder("two");
  builder.add(Input{image(3, 8, 8)});
  builder.add(Conv{20, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.add(Conv{30, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.add(Flatten{});
  builder.add(Linear{10});
  return {std::move(builder).build(), std::move(judges)};
}

TEST(WidthCost, InterpolatesOverTheSimplexOfWholeWidths) {
  WidthCost cost = cost_of(true);
  const double a = energy_of(8, 20), b = energy_of(8, 21), c = energy_of(9, 21);
  const WidthCost::Values values =
      cost.at(std::vector<double>{8, 20, 8.25, 20.5, 9, 21}, {.gradients = true});
  EXPECT_DOUBLE_EQ(values.energy_j[0], a);
  EXPECT_DOUBLE_EQ(values.energy_j[1], a + 0.5 * (b - a) + 0.25 * (c - b));
  EXPECT_DOUBLE_EQ(values.energy_j[2], c);
  EXPECT_NEAR(values.gradient[2], c - b, 1e-12);
  EXPECT_NEAR(values.gradient[3], b - a, 1e-12);
  EXPECT_NEAR(values.gradient[0], (energy_of(9, 20) - energy_of(7, 20)) / 2, 1e-12);
  EXPECT_TRUE(values.energy_low_j.empty());
}

TEST(WidthCost, TellsNormalIntervalsFromOthers) {
  const std::vector<double> points{8, 20, 8, 20.5};
  const WidthCost::Values normal = cost_of(true).at(points, {.confidence = 0.95});
  EXPECT_TRUE(normal.normal_intervals);
  for (std::size_t i = 0; i < 2; ++i) {
    const double reach = normal_quantile(0.975) * normal.energy_sd[i];
    EXPECT_NEAR(normal.energy_low_j[i], normal.energy_j[i] - reach, 1e-12);
    EXPECT_NEAR(normal.energy_high_j[i], normal.energy_j[i] + reach, 1e-12);
  }
  const WidthCost::Values other = cost_of(false).at(points, {.confidence = 0.95});
  EXPECT_FALSE(other.normal_intervals);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(other.energy_low_j[i], other.energy_j[i] / 2, 1e-12);
    EXPECT_NEAR(other.energy_high_j[i], other.energy_j[i] * 2, 1e-12);
  }
}

// Judges without tables, as they are asked one network at a time.
class ExactJudge final : public WidthJudge {
 public:
  explicit ExactJudge(std::unique_ptr<WidthJudge> judge) : judge_(std::move(judge)) {}
  std::optional<Judgement> judge(std::span<const std::int64_t> widths) override {
    return judge_->judge(widths);
  }
  CostCauses causes(std::span<const std::int64_t> widths) override {
    return judge_->causes(widths);
  }

 private:
  std::unique_ptr<WidthJudge> judge_;
};

TEST(WidthCost, WithTablesIsTheSameAtAnyPoint) {
  const Model model = open_model("resnet18");
  const auto estimator = make_dual_estimator(dual_profile("server", "resnet18", 16));
  const auto cost_by = [&](bool exact) {
    std::vector<std::unique_ptr<WidthJudge>> judges;
    judges.push_back(estimator->judge(model));
    if (exact) judges.front() = std::make_unique<ExactJudge>(std::move(judges.front()));
    return WidthCost(model, std::move(judges));
  };
  WidthCost exact = cost_by(true), tabulated = cost_by(false);
  std::mt19937_64 random(5);
  std::vector<double> points;
  for (int i = 0; i < 60; ++i)
    for (const ChannelGroup& width : exact.widths()) {
      // Some points lie anywhere and some near the original; some are whole widths and some are
      // not.
      const double most = static_cast<double>(width.value - width.multiple_of);
      const double share = static_cast<double>(random() % 1000) / 1000;
      const double at = i % 2 == 0 ? share * most : most - 4 * share;
      points.push_back(static_cast<double>(width.multiple_of) +
                       std::max(0.0, i % 3 == 0 ? std::floor(at) : at));
    }
  for (int again = 0; again < 3; ++again) {
    const WidthCost::Values one = exact.at(points, {.gradients = true}),
                            other = tabulated.at(points, {.gradients = true});
    for (std::size_t i = 0; i < one.energy_j.size(); ++i) {
      ASSERT_NEAR(other.energy_j[i] / one.energy_j[i], 1, 1e-9) << i;
      ASSERT_NEAR(other.energy_sd[i] / one.energy_sd[i], 1, 1e-8) << i;
      ASSERT_NEAR(other.time_s[i] / one.time_s[i], 1, 1e-9) << i;
    }
    for (std::size_t i = 0; i < one.gradient.size(); ++i)
      ASSERT_NEAR(other.gradient[i], one.gradient[i],
                  2e-9 * one.energy_j[i / exact.widths().size()]);
  }
}

TEST(WidthCost, RefusesPointsAndConfidencesThatAreNone) {
  WidthCost cost = cost_of(true);
  EXPECT_THROW(cost.at(std::vector<double>{8}, {}), Error);
  EXPECT_THROW(cost.at(std::vector<double>{8, NAN}, {}), Error);
  EXPECT_THROW(cost.at(std::vector<double>{8, 0.5}, {}), Error);
  EXPECT_THROW(cost.at(std::vector<double>{8, 20}, {.confidence = 1}), Error);
}

}  // namespace
}  // namespace ampere
