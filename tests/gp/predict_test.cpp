#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/gp.h"
#include "gp_test_data.h"

namespace ampere {
namespace {

GaussianProcess wavy_process(Eigen::Index points, Eigen::Index dimensions) {
  const GpData data = wavy_data(points, dimensions);
  const Eigen::VectorXd lengths = Eigen::VectorXd::LinSpaced(dimensions, 2, 3);
  return GaussianProcess::with({1.5, lengths, 0.01}, data.x, data.y, data.noise_variance);
}

// k** − K*ᵀ (K + noise)⁻¹ K* and mean + K*ᵀ (K + noise)⁻¹ (y − mean), written down as they stand.
TEST(GpPrediction, EqualsThePlainFormula) {
  const GaussianProcess gp = wavy_process(15, 2);
  const Eigen::MatrixXd at = wavy_data(23, 2).x.bottomRows(8).array() + 0.3;
  const GpHyperparameters& parameters = gp.hyperparameters();
  Eigen::MatrixXd covariance = plain_kernel(parameters, gp.x(), gp.x());
  covariance.diagonal().array() += gp.noise_variance().array() + parameters.noise_variance;
  const Eigen::MatrixXd weights = plain_kernel(parameters, at, gp.x()) * covariance.inverse();
  const Eigen::VectorXd expected_mean =
      (weights * (gp.y().array() - gp.y().mean()).matrix()).array() + gp.y().mean();
  const Eigen::MatrixXd expected =
      plain_kernel(parameters, at, at) - weights * plain_kernel(parameters, gp.x(), at);

  Eigen::VectorXd mean, variance;
  gp.predict(at, mean, variance);
  EXPECT_LT((mean - expected_mean).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((variance - expected.diagonal()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((gp.covariance(at) - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(GpPrediction, BatchEqualsSingle) {
  const GaussianProcess gp = wavy_process(20, 2);
  const Eigen::MatrixXd at = wavy_data(300, 2).x * 1.3;  // more than two blocks, and a rest
  Eigen::VectorXd mean, variance;
  gp.predict(at, mean, variance);
  ASSERT_EQ(mean.size(), 300);
  for (Eigen::Index i = 0; i < at.rows(); ++i) {
    const Quantity one = gp.predict(Eigen::VectorXd(at.row(i)));
    EXPECT_NEAR(mean(i), one.mean, 1e-11);
    EXPECT_NEAR(variance(i), std::pow(one.stddev.value(), 2), 1e-11);
  }
}

TEST(GpPrediction, OfNothingIsEmpty) {
  const GaussianProcess gp = wavy_process(5, 2);
  Eigen::VectorXd mean(7), variance(7);
  gp.predict(Eigen::MatrixXd(0, 2), mean, variance);
  EXPECT_EQ(mean.size(), 0);
  EXPECT_EQ(variance.size(), 0);
  EXPECT_EQ(gp.covariance(Eigen::MatrixXd(0, 2)).size(), 0);
}

TEST(GpPrediction, JointCovarianceHasTheVariancesOnItsDiagonal) {
  const GaussianProcess gp = wavy_process(20, 2);
  const Eigen::MatrixXd at = wavy_data(10, 2).x.array() + 0.5;
  Eigen::VectorXd mean, variance;
  gp.predict(at, mean, variance);
  const Eigen::MatrixXd covariance = gp.covariance(at);
  EXPECT_LT((covariance.diagonal() - variance).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((covariance - covariance.transpose()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(GpPrediction, InterpolatesWithoutNoise) {
  const GpData data = wavy_data(15, 2);
  const GaussianProcess gp = GaussianProcess::with({1.5, Eigen::Vector2d(2, 3), 0}, data.x, data.y,
                                                   Eigen::VectorXd::Zero(15));
  for (Eigen::Index i = 0; i < 15; ++i) {
    const Quantity at = gp.predict(Eigen::VectorXd(data.x.row(i)));
    EXPECT_NEAR(at.mean, data.y(i), 1e-8);
    EXPECT_NEAR(at.stddev.value(), 0, 1e-4);
    EXPECT_GE(at.stddev, 0);
  }
}

TEST(GpPrediction, VarianceGrowsAwayFromThePointsToThePrior) {
  const GaussianProcess gp = wavy_process(15, 1);
  double before = 0;
  for (double distance = 0; distance < 12; distance += 0.5) {
    const Quantity at = gp.predict(Eigen::VectorXd::Constant(1, 10 + distance));
    EXPECT_GT(at.stddev, before);
    before = at.stddev.value();
  }
  const Quantity far = gp.predict(Eigen::VectorXd::Constant(1, 1e6));
  EXPECT_DOUBLE_EQ(far.stddev.value(), std::sqrt(gp.hyperparameters().signal_variance));
  EXPECT_DOUBLE_EQ(far.mean, gp.y().mean());
}

TEST(GpPrediction, WrongOrInfiniteInputsAreRefused) {
  const GaussianProcess gp = wavy_process(5, 2);
  Eigen::VectorXd mean, variance;
  EXPECT_THROW(gp.predict(Eigen::VectorXd::Zero(3)), Error);
  EXPECT_THROW(gp.predict(Eigen::MatrixXd::Zero(4, 1), mean, variance), Error);
  EXPECT_THROW(gp.covariance(Eigen::MatrixXd::Constant(1, 2, std::nan(""))), Error);
  EXPECT_THROW(gp.predict(Eigen::VectorXd::Constant(2, INFINITY)), Error);
}

}  // namespace
}  // namespace ampere
