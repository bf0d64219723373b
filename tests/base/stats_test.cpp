#include "base/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ampere/error.h"

namespace ampere {
namespace {

TEST(Stats, StandardErrorIsOfTheMean) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(mean(values), 2.5);
  EXPECT_NEAR(standard_deviation(values).value(), std::sqrt(5.0 / 3.0), 1e-15);
  EXPECT_NEAR(standard_error(values).value(), std::sqrt(5.0 / 3.0 / 4.0), 1e-15);
}

TEST(Stats, TheGeometricMeanIsThatOfTheLogarithms) {
  EXPECT_NEAR(geometric_mean(std::vector<double>{1, 2, 32}), 4, 1e-14);
  EXPECT_THROW(geometric_mean({}), Error);
}

TEST(Stats, OneValueHasNoKnownSpread) {
  EXPECT_FALSE(standard_deviation(std::vector<double>{3}));
  EXPECT_FALSE(standard_error(std::vector<double>{3}));
}

TEST(Stats, MedianSplitsOddAndEvenSamples) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5, 7}), 6);
}

TEST(Stats, QuantilesLieBetweenNeighbours) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
  EXPECT_THROW(quantile({}, 0.5), Error);
}

TEST(Stats, NothingHasNoMean) {
  EXPECT_THROW(mean({}), Error);
  EXPECT_THROW(median({}), Error);
}

TEST(Stats, NormalQuantilesMatchTables) {
  EXPECT_NEAR(normal_quantile(0.95), 1.6448536269514722, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
}

TEST(Stats, StudentQuantilesMatchTables) {
  EXPECT_NEAR(student_quantile(0.95, 1), 6.313751514675, 1e-9);
  EXPECT_NEAR(student_quantile(0.95, 2), 2.919985580354, 1e-9);
  EXPECT_NEAR(student_quantile(0.975, 3), 3.182446305284, 1e-9);
  EXPECT_NEAR(student_quantile(0.975, 10), 2.228138851965, 1e-9);
  EXPECT_NEAR(student_quantile(0.025, 10), -2.228138851965, 1e-9);
  EXPECT_NEAR(student_quantile(0.5, 7), 0, 1e-12);
}

TEST(Stats, StudentQuantilesTakeAnyDegreesOfFreedom) {
  EXPECT_EQ(student_quantile(0.95, 2.9), student_quantile(0.95, 2));
  EXPECT_EQ(student_quantile(0.95, 0), student_quantile(0.95, 1));
  EXPECT_EQ(student_quantile(0.95, INFINITY), normal_quantile(0.95));
  EXPECT_NEAR(student_quantile(0.95, 999), normal_quantile(0.95), 0.002);
}

}  // namespace
}  // namespace ampere
