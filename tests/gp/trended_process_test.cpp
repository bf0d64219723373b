// The process with a linear trend: its gradient, its fit, and leaving points out.
#include "gp/trended_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "gp/likelihood.h"
#include "gp/matern.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_rows(Index rows, Index columns, unsigned seed) {
  std::mt19937 engine(seed);
  MatrixXd x(rows, columns);
  for (double& value : x.reshaped()) value = 4 * (static_cast<double>(engine()) * 0x1p-32) - 2;
  return x;
}

VectorXd smooth_function(const MatrixXd& x) {
  return (0.7 * x.col(0) + x.col(1).array().sin().matrix() * 0.3).array() - 0.2;
}

TEST(MarginalLikelihood, WithATrendHasTheGradientOfItsDifferences) {
  const MatrixXd x = random_rows(12, 3, 1);
  MarginalLikelihood likelihood(x, smooth_function(x), VectorXd::Constant(12, 1e-3),
                                GpTrend::linear);
  ASSERT_EQ(likelihood.parameters(), 6);
  const VectorXd at = (VectorXd(6) << -0.4, 0.3, -0.2, 0.5, -3.0, -1.2).finished();
  VectorXd gradient;
  likelihood(at, &gradient);
  for (Index i = 0; i < at.size(); ++i) {
    VectorXd up = at, down = at;
    up[i] += 1e-5, down[i] -= 1e-5;
    EXPECT_NEAR(gradient[i], (likelihood(up, nullptr) - likelihood(down, nullptr)) / 2e-5, 1e-5)
        << "parameter " << i;
  }
}

TEST(TrendedProcess, ExtrapolatesALineThatItHasSeen) {
  const MatrixXd x = random_rows(60, 2, 2);
  const VectorXd y = 0.8 * x.col(0) - 0.5 * x.col(1);
  const TrendedHyperparameters found = fit_trended(x, y.array() - y.mean(), 60);
  const ConditionedProcess conditioned(found, x, y);
  const MatrixXd far = (MatrixXd(1, 2) << 5, -5).finished();
  EXPECT_NEAR(conditioned.process().predict(far).mean[0], 6.5, 0.3);
}

TEST(TrendedProcess, IsSurerNearItsPoints) {
  const MatrixXd x = random_rows(40, 2, 3);
  const TrendedHyperparameters given{1, 0.01, 0.1, VectorXd::Constant(2, 1)};
  const ConditionedProcess conditioned(given, x, smooth_function(x));
  const auto near = conditioned.process().predict(x.topRows(1));
  const auto far = conditioned.process().predict(MatrixXd::Constant(1, 2, 50));
  EXPECT_NEAR(near.variance[0], 0.01, 1e-9);
  EXPECT_NEAR(far.variance[0], 1.01, 1e-6);
}

// Reference: the plain formula, k(·, others) K⁻¹ y over the points that are left.
TEST(ConditionedProcess, LeavesPointsOutAsIfTheyHadNeverBeenThere) {
  const MatrixXd x = random_rows(30, 3, 4);
  VectorXd y = smooth_function(x);
  y.array() -= y.mean();
  const TrendedHyperparameters given{0.5, 0.01, 0.2, VectorXd::Constant(3, 1.5)};
  const std::vector<Index> out{2, 3, 11, 29};
  std::vector<Index> rest;
  for (Index i = 0; i < 30; ++i)
    if (std::find(out.begin(), out.end(), i) == out.end()) rest.push_back(i);
  const auto left_out = ConditionedProcess(given, x, y).without(out);

  const MatrixXd scaled = scale_for_matern(x, given.length_scales);
  MatrixXd covariance;
  matern_covariance(scaled, scaled, given.signal, covariance);
  covariance += given.trend * trend_products(x, x);
  MatrixXd among = covariance(rest, rest);
  among.diagonal().array() += given.noise;
  const VectorXd expected = covariance(out, rest) * among.llt().solve(VectorXd(y(rest)));
  const VectorXd mean = left_out.process.predict(x(out, Eigen::all)).mean;
  EXPECT_LT((mean - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((VectorXd(y(out)) - expected - left_out.residuals).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace ampere
