#include "method/dual/width_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ampere {
namespace {

using Row = std::vector<double>;

Row to_row(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }

TEST(WidthFeatures, TheTrendIsQuadraticInLogarithms) {
  const std::vector<std::int64_t> widths{8, 2};
  EXPECT_EQ(to_row(trend_features(widths)), (Row{1, 3, 1, 9, 3, 1}));
}

TEST(WidthFeatures, TilesAreRemaindersOfWidthsAndOfAConvolutionsRows) {
  const std::vector<std::int64_t> one{70};
  // 9 · 70 = 630
  EXPECT_EQ(to_row(tile_features(one, 9)),
            (Row{70, 70 % 8, 70 % 16, 70 % 32, 69 % 64, 630 % 32, 630 % 64, 630 % 128, 1}));
}

TEST(WidthFeatures, SeveralWidthsHaveTheirProductAndRatioToo) {
  const std::vector<std::int64_t> two{12, 48};
  const Eigen::VectorXd row = tile_features(two, 1);
  ASSERT_EQ(row.size(), 20);
  EXPECT_EQ(row[18], 576);
  EXPECT_EQ(row[19], 0.25);
}

TEST(WidthFeatures, PhasesRunFromZeroThroughATile) {
  const auto phase = [](std::int64_t width) {
    return phase_features(std::vector<std::int64_t>{width}, 1)[2];
  };
  EXPECT_EQ(phase(1), 0);
  EXPECT_EQ(phase(64), 63.0 / 64);
  EXPECT_EQ(phase(65), 0);
}

TEST(WidthFeatures, OnlyConvolutionsHaveAPhaseOfTheirRows) {
  const std::vector<std::int64_t> widths{10, 20};
  EXPECT_EQ(phase_features(widths, 1).size(), 6);
  const Eigen::VectorXd row = phase_features(widths, 9);
  ASSERT_EQ(row.size(), 8);
  EXPECT_EQ(row[3], (90 % 64) / 64.0);
  EXPECT_EQ(row[7], (180 % 64) / 64.0);
}

TEST(WidthFeatures, HalvingsAreCountedToThree) {
  const auto halvings = [](std::int64_t width) {
    return 3 * phase_features(std::vector<std::int64_t>{width}, 1)[1];
  };
  EXPECT_EQ(halvings(7), 0);
  EXPECT_EQ(halvings(6), 1);
  EXPECT_EQ(halvings(12), 2);
  EXPECT_EQ(halvings(8), 3);
  EXPECT_EQ(halvings(1 << 20), 3);
}

TEST(WidthFeatures, TheHostSeesLogarithmsAndWidths) {
  const std::vector<std::int64_t> widths{64};
  EXPECT_EQ(to_row(launch_features(widths)), (Row{6, 2}));
}

TEST(WidthFeatures, WithoutWidthsThereIsNothingButAConstant) {
  EXPECT_EQ(to_row(trend_features({})), Row{1});
  EXPECT_EQ(tile_features({}, 9).size(), 0);
  EXPECT_EQ(phase_features({}, 9).size(), 0);
  EXPECT_EQ(launch_features({}).size(), 0);
}

}  // namespace
}  // namespace ampere
