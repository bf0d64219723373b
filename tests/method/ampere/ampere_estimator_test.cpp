#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/estimate.h"
#include "ampere/widths.h"
#include "base/stats.h"
#include "method/ampere/fit.h"

namespace ampere {
namespace {

// Every kind of a network fitted to a plane over its features, with some noise.
Fits plane_fits(const Model& model, double noise = 1e-6) {
  Fits fits;
  for (const Block& block : parse_blocks(model)) {
    const auto dimensions = static_cast<Eigen::Index>(block.features.size());
    const Eigen::Index corners = Eigen::Index{1} << dimensions;
    Eigen::MatrixXd x(corners, dimensions);
    for (Eigen::Index row = 0; row < corners; ++row)
      for (Eigen::Index column = 0; column < dimensions; ++column)
        x(row, column) = (row >> column) & 1 ? static_cast<double>(block.features[column]) : 1;
    const Eigen::VectorXd y = Eigen::VectorXd::Ones(corners) + 0.01 * x.rowwise().sum();
    const Eigen::VectorXd variance = Eigen::VectorXd::Constant(corners, noise);
    std::vector<std::string> names;
    for (const Feature& feature : block.kind->features) names.push_back(feature.name);
    fits.insert_or_assign(
        block.kind->key,
        KindFit{block.kind->key, block.kind->title, block.kind->role, names,
                std::vector<std::int64_t>(block.features.size(), 1), block.features,
                Source::measured, GaussianProcess::fit(x, y, variance),
                GaussianProcess::fit(x, 0.5 * y, variance)});
  }
  return fits;
}

TEST(AmpereEstimator, PartsAddUpToTheWhole) {
  const Model model = open_model("resnet18");
  const Estimate estimate = make_ampere_estimator(plane_fits(model))->estimate(model, {100, 0.9});
  double energy = 0, time = 0;
  int blocks = 0;
  for (const Part& part : estimate.parts) {
    energy += part.energy_j->mean;
    time += part.time_s->mean;
    blocks += part.count;
  }
  ASSERT_TRUE(estimate.energy_j);
  EXPECT_EQ(blocks, static_cast<int>(parse_blocks(model).size()));
  EXPECT_NEAR(energy, estimate.energy_j_per_iteration->mean, 1e-9);
  EXPECT_NEAR(time, estimate.time_s_per_iteration->mean, 1e-9);
  EXPECT_NEAR(estimate.energy_j->mean, 100 * energy, 1e-7);
}

TEST(AmpereEstimator, TermsOfOneKindAreCorrelated) {
  const Model model = open_model("resnet18");
  const Fits fits = plane_fits(model, 0.01);
  const Estimate estimate = make_ampere_estimator(fits)->estimate(model, {1, 0.9});
  // By the plain formula: for each kind the sum of all entries of the joint covariance of its
  // blocks.
  double variance = 0;
  std::map<std::string, std::vector<std::vector<std::int64_t>>> by_kind;
  for (const Block& block : parse_blocks(model)) by_kind[block.kind->key].push_back(block.features);
  for (const auto& [key, blocks] : by_kind) {
    Eigen::MatrixXd rows(blocks.size(), blocks[0].size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (std::size_t j = 0; j < blocks[i].size(); ++j)
        rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            static_cast<double>(blocks[i][j]);
    variance += fits.at(key).energy.covariance(rows).sum();
  }
  EXPECT_NEAR(estimate.energy_j_per_iteration->stddev.value(), std::sqrt(variance),
              1e-6 * std::sqrt(variance));
}

TEST(AmpereEstimator, TheIntervalHasTheStatedConfidence) {
  const Model model = open_model("cnn5");
  const auto estimator = make_ampere_estimator(plane_fits(model, 0.01));
  const Estimate estimate = estimator->estimate(model, {10, 0.9});
  const Interval ninety = *estimate.energy_j;
  const Interval half = *estimator->estimate(model, {10, 0.5}).energy_j;
  const double stddev = 10 * estimate.energy_j_per_iteration->stddev.value();
  EXPECT_NEAR(ninety.high - ninety.mean, normal_quantile(0.95) * stddev, 1e-9);
  EXPECT_NEAR(half.high - half.mean, normal_quantile(0.75) * stddev, 1e-9);
  EXPECT_GE(ninety.low, 0);
}

TEST(AmpereEstimator, WhatIsNotCoveredIsListedAndNeverCountedAsNothing) {
  const Model model = open_model("cnn5");
  Fits fits = plane_fits(model);
  const auto blocks = parse_blocks(model);
  fits.erase(blocks[1].kind->key);
  const Estimate estimate = make_ampere_estimator(fits)->estimate(model, {1, 0.9});
  EXPECT_FALSE(estimate.energy_j);
  EXPECT_FALSE(estimate.time_s);
  EXPECT_FALSE(estimate.energy_j_per_iteration);
  ASSERT_GE(estimate.uncovered.size(), blocks[1].layers.size());
  EXPECT_EQ(estimate.uncovered[0].layer, model.layers()[blocks[1].layers[0]].name);
  EXPECT_THAT(estimate.uncovered[0].reason, testing::HasSubstr(blocks[1].kind->title));
}

TEST(AmpereEstimator, BeyondTheMeasuredRangeIsFlagged) {
  const Model narrow = open_model("cnn5:4,8,16,32");
  const Model wide = open_model("cnn5");
  const auto estimator = make_ampere_estimator(plane_fits(narrow));
  const Estimate inside = estimator->estimate(narrow, {1, 0.9}),
                 outside = estimator->estimate(wide, {1, 0.9});
  EXPECT_TRUE(std::ranges::none_of(inside.parts, &Part::extrapolated));
  EXPECT_TRUE(inside.warnings.empty());
  EXPECT_TRUE(std::ranges::all_of(outside.parts, &Part::extrapolated));
  EXPECT_THAT(outside.warnings, testing::Contains(testing::HasSubstr("outside what was profiled")));
}

TEST(AmpereEstimator, TheWeakestSourceNamesTheWhole) {
  const Model model = open_model("lenet5");
  Fits fits = plane_fits(model);
  fits.begin()->second.source = Source::modelled;
  EXPECT_EQ(make_ampere_estimator(fits)->estimate(model, {1, 0.9}).source, Source::modelled);
}

}  // namespace
}  // namespace ampere
