#include "base/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ampere {
namespace {

TEST(Stats, StandardErrorIsOfTheMean) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(mean(values), 2.5);
  EXPECT_NEAR(standard_error(values), std::sqrt(5.0 / 3.0 / 4.0), 1e-15);
}

TEST(Stats, MedianSplitsOddAndEvenSamples) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5, 7}), 6);
}

TEST(Stats, NothingHasNoMean) {
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(Stats, NormalQuantilesMatchTables) {
  EXPECT_NEAR(normal_quantile(0.95), 1.6448536269514722, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
}

}  // namespace
}  // namespace ampere
