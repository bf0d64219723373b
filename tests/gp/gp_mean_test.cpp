#include "gp/gp_mean.h"

#include <gtest/gtest.h>

#include "gp/split_gp_mean.h"
#include "gp_test_data.h"

namespace ampere {
namespace {

TEST(GpMean, IsTheMeanOfTheProcess) {
  for (const Eigen::Index dimensions : {1, 2, 5}) {
    const GpData data = wavy_data(40, dimensions);
    const GaussianProcess gp = GaussianProcess::fit(data.x, data.y, data.noise_variance);
    const GpMean mean(gp);
    const Eigen::MatrixXd at = wavy_data(60, dimensions).x.array() * 1.3 - 1;
    for (Eigen::Index i = 0; i < at.rows(); ++i) {
      const Eigen::VectorXd row = at.row(i);
      EXPECT_NEAR(mean(row), gp.predict(row).mean, 1e-12);
    }
  }
}

TEST(GpMean, OfItsOwnPartsIsTheSame) {
  const GpData data = wavy_data(20, 2);
  const GpMean mean(GaussianProcess::fit(data.x, data.y, data.noise_variance));
  const GpMean again(mean.constant(), mean.signal_variance(), mean.length_scales(), mean.x(),
                     mean.weights());
  for (Eigen::Index i = 0; i < data.x.rows(); ++i)
    EXPECT_EQ(again(data.x.row(i)), mean(data.x.row(i)));
}

TEST(SplitGpMean, IsTheMeanFromTheColumnsInParts) {
  const GpData data = wavy_data(40, 3);
  const GpMean mean(GaussianProcess::fit(data.x, data.y, data.noise_variance));
  const SplitGpMean split(mean);
  for (Eigen::Index i = 0; i < data.x.rows(); ++i) {
    const Eigen::VectorXd at = data.x.row(i) * 1.1;
    Eigen::ArrayXd squares = split.squares(0, at.head(1)) + split.squares(1, at.tail(2));
    EXPECT_NEAR(split(squares), mean(at), 1e-12);
  }
  const SplitGpMean nothing{GpMean()};
  Eigen::ArrayXd none = nothing.squares(0, Eigen::Vector2d(1, 2));
  EXPECT_EQ(nothing(none), 0);
}

TEST(GpMean, IsZeroEverywhereUnlessItIsTold) {
  EXPECT_EQ(GpMean()(Eigen::VectorXd(0)), 0);
  EXPECT_EQ(GpMean()(Eigen::VectorXd::Constant(3, 1e9)), 0);
}

TEST(GpMean, WithoutPointsIsTheConstant) {
  const GpMean mean(2.5, 1, Eigen::VectorXd::Ones(2), Eigen::MatrixXd(0, 2), Eigen::VectorXd(0));
  EXPECT_EQ(mean(Eigen::Vector2d(1, 2)), 2.5);
}

TEST(GpMean, FarAwayIsTheConstant) {
  const GpData data = wavy_data(20, 2);
  const GpMean mean(GaussianProcess::fit(data.x, data.y, data.noise_variance));
  EXPECT_NEAR(mean(Eigen::Vector2d(1e6, -1e6)), mean.constant(), 1e-12);
}

}  // namespace
}  // namespace ampere
