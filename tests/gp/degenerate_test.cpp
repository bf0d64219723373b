// What must not fail, and what must.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "ampere/error.h"
#include "ampere/gp.h"
#include "gp_test_data.h"

namespace ampere {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_usable(const GaussianProcess& gp, const VectorXd& at) {
  const Quantity prediction = gp.predict(at);
  EXPECT_TRUE(std::isfinite(prediction.mean));
  EXPECT_TRUE(std::isfinite(prediction.stddev.value()));
  EXPECT_GE(prediction.stddev, 0);
  EXPECT_TRUE(std::isfinite(gp.log_marginal_likelihood()));
}

TEST(GpDegenerate, OnePointIsKnownThereAndUnknownElsewhere) {
  const auto gp =
      GaussianProcess::fit(Eigen::RowVector2d(3, 5), VectorXd::Constant(1, 7.0), VectorXd::Zero(1));
  EXPECT_DOUBLE_EQ(gp.predict(Eigen::Vector2d(3, 5)).mean, 7);
  EXPECT_NEAR(gp.predict(Eigen::Vector2d(3, 5)).stddev.value(), 0, 3e-3);
  EXPECT_DOUBLE_EQ(gp.predict(Eigen::Vector2d(300, 5)).mean, 7);
  EXPECT_NEAR(gp.predict(Eigen::Vector2d(300, 5)).stddev.value(), 7, 1e-6);
}

TEST(GpDegenerate, OnePointOfNothing) {
  const auto gp = GaussianProcess::fit(MatrixXd(1, 0), VectorXd::Zero(1), VectorXd::Zero(1));
  expect_usable(gp, VectorXd(0));
}

TEST(GpDegenerate, NoColumnsIsAConstantKnownBetterWithEveryPoint) {
  const VectorXd y = Eigen::Vector4d(1, 2, 3, 2);
  const auto gp = GaussianProcess::fit(MatrixXd(4, 0), y, VectorXd::Constant(4, 0.1));
  expect_usable(gp, VectorXd(0));
  EXPECT_NEAR(gp.predict(VectorXd(0)).mean, 2, 1e-9);
  EXPECT_LT(gp.predict(VectorXd(0)).stddev, std::sqrt(0.5));
}

TEST(GpDegenerate, ConstantValuesStayConstant) {
  const GpData data = wavy_data(10, 2);
  for (const double value : {0.0, 0.1, -3e5}) {
    const auto gp = GaussianProcess::fit(data.x, VectorXd::Constant(10, value), VectorXd::Zero(10));
    expect_usable(gp, Eigen::Vector2d(20, 3));
    EXPECT_NEAR(gp.predict(Eigen::Vector2d(20, 3)).mean, value, 1e-9 * (1 + std::abs(value)));
  }
}

TEST(GpDegenerate, ConstantColumnKeepsAFixedLengthScale) {
  GpData data = wavy_data(12, 2);
  data.x.col(1).setConstant(40);
  const auto gp = GaussianProcess::fit(data.x, data.y, data.noise_variance);
  EXPECT_DOUBLE_EQ(gp.hyperparameters().length_scales(1), 40);
  expect_usable(gp, Eigen::Vector2d(4, 40));
  EXPECT_GT(gp.predict(Eigen::Vector2d(4, 80)).stddev, gp.predict(Eigen::Vector2d(4, 40)).stddev);
}

TEST(GpDegenerate, RepeatedPointsWithoutNoiseAverage) {
  const VectorXd x = (VectorXd(5) << 1, 1, 1, 2, 3).finished();
  const VectorXd y = (VectorXd(5) << 1, 2, 3, 4, 5).finished();
  expect_usable(GaussianProcess::fit(x, y, VectorXd::Zero(5)), VectorXd::Constant(1, 1.5));
  const auto gp = GaussianProcess::with({4, VectorXd::Constant(1, 1), 0}, x, y, VectorXd::Zero(5));
  expect_usable(gp, VectorXd::Constant(1, 1));
  EXPECT_NEAR(gp.predict(VectorXd::Constant(1, 1)).mean, 2, 1e-3);
}

TEST(GpDegenerate, AllPointsEqual) {
  const auto gp = GaussianProcess::fit(MatrixXd::Constant(6, 2, 3.0), VectorXd::LinSpaced(6, 0, 5),
                                       VectorXd::Zero(6));
  expect_usable(gp, Eigen::Vector2d(3, 3));
  EXPECT_NEAR(gp.predict(Eigen::Vector2d(3, 3)).mean, 2.5, 1e-6);
}

TEST(GpDegenerate, CollinearPointsAndNearTwins) {
  MatrixXd x(8, 2);
  x.col(0) = VectorXd::LinSpaced(8, 1, 8);
  x.col(1) = 2 * x.col(0);
  x.row(7) = x.row(6).array() + 1e-13;
  const VectorXd y = x.col(0).array().square();
  expect_usable(GaussianProcess::fit(x, y, VectorXd::Zero(8)), Eigen::Vector2d(4, 1));
  const auto flat =
      GaussianProcess::with({1e8, Eigen::Vector2d(1e6, 1e6), 0}, x, y, VectorXd::Zero(8));
  expect_usable(flat, Eigen::Vector2d(4, 1));
}

TEST(GpDegenerate, ExtremeUnits) {
  const GpData data = wavy_data(8, 1);
  for (const double unit : {1e-200, 1e-30, 1e30, 1e100}) {
    SCOPED_TRACE(unit);
    const auto gp = GaussianProcess::fit(data.x * unit, data.y * unit, VectorXd::Zero(8));
    expect_usable(gp, VectorXd::Constant(1, 3 * unit));
  }
}

void expect_refused(const MatrixXd& x, const VectorXd& y, const VectorXd& noise,
                    const std::string& named) {
  try {
    GaussianProcess::fit(x, y, noise);
    FAIL() << "accepted: " << named;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << error.what();
  }
}

TEST(GpDegenerate, WhatIsNotANumberIsRefusedByName) {
  const GpData data = wavy_data(5, 2);
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    MatrixXd x = data.x;
    VectorXd y = data.y, noise = data.noise_variance;
    x(1, 1) = y(2) = noise(3) = bad;
    expect_refused(x, data.y, data.noise_variance, "x holds");
    expect_refused(data.x, y, data.noise_variance, "y holds");
    expect_refused(data.x, data.y, noise, "noise variance is not finite");
  }
}

TEST(GpDegenerate, SizesThatDisagreeAndNegativeNoiseAreRefused) {
  const GpData data = wavy_data(5, 2);
  expect_refused(MatrixXd(0, 2), VectorXd(0), VectorXd(0), "no points");
  expect_refused(data.x, data.y.head(4), data.noise_variance, "5 rows of x, 4 values of y");
  expect_refused(data.x, data.y, data.noise_variance.head(2), "2 noise variances");
  expect_refused(data.x, data.y, -data.noise_variance, "negative");
  expect_refused(data.x, data.y * 1e200, data.noise_variance, "too large");
}

TEST(GpDegenerate, ImpossibleHyperparametersAreRefused) {
  const GpData data = wavy_data(5, 2);
  const auto with = [&](double signal, const VectorXd& lengths, double noise) {
    GaussianProcess::with({signal, lengths, noise}, data.x, data.y, data.noise_variance);
  };
  const VectorXd ones = VectorXd::Ones(2);
  EXPECT_NO_THROW(with(1, ones, 0));
  EXPECT_THROW(with(0, ones, 0), Error);
  EXPECT_THROW(with(-1, ones, 0), Error);
  EXPECT_THROW(with(kInfinity, ones, 0), Error);
  EXPECT_THROW(with(1, VectorXd::Ones(3), 0), Error);
  EXPECT_THROW(with(1, VectorXd::Zero(2), 0), Error);
  EXPECT_THROW(with(1, ones, -1), Error);
  EXPECT_THROW(with(1, ones, std::nan("")), Error);
}

}  // namespace
}  // namespace ampere
