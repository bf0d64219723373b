#include "gp/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ampere {
namespace {

Eigen::MatrixXd some_covariance(Eigen::Index size) {
  Eigen::MatrixXd covariance(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      covariance(i, j) = std::exp(-std::abs(static_cast<double>(i - j)) / 3.0) + (i == j ? 0.1 : 0);
    }
  }
  return covariance;
}

class CholeskyOfSize : public testing::TestWithParam<Eigen::Index> {};

TEST_P(CholeskyOfSize, LeadsToTheInverse) {
  const Eigen::MatrixXd covariance = some_covariance(GetParam());
  Eigen::MatrixXd work = covariance;
  factorise(work);
  EXPECT_NEAR(half_log_determinant(work), 0.5 * std::log(covariance.determinant()), 1e-9);
  invert_lower(work);
  square_lower(work);
  const Eigen::MatrixXd inverse = work.selfadjointView<Eigen::Lower>();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(GetParam(), GetParam());
  EXPECT_LT((inverse * covariance - identity).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(CholeskyOfSize, TouchesNothingAboveTheDiagonal) {
  Eigen::MatrixXd work = some_covariance(GetParam());
  work.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  factorise(work);
  invert_lower(work);
  square_lower(work);
  EXPECT_TRUE(Eigen::MatrixXd(work.triangularView<Eigen::Lower>()).allFinite());
  for (Eigen::Index j = 1; j < GetParam(); ++j) EXPECT_TRUE(std::isnan(work(0, j)));
}

// Under, at and over the size from which matrices are split.
INSTANTIATE_TEST_SUITE_P(Gp, CholeskyOfSize, testing::Values(1, 2, 31, 32, 33, 100));

TEST(Cholesky, MakesASingularMatrixRegularWithLittle) {
  Eigen::MatrixXd ones = Eigen::MatrixXd::Constant(5, 5, 2.0);
  factorise(ones);
  const Eigen::MatrixXd lower = ones.triangularView<Eigen::Lower>();
  EXPECT_GT(lower.diagonal().minCoeff(), 0);
  EXPECT_LT(
      (lower * lower.transpose() - Eigen::MatrixXd::Constant(5, 5, 2.0)).cwiseAbs().maxCoeff(),
      1e-9);
}

TEST(Cholesky, EscalatesUntilAnIndefiniteMatrixIsRegular) {
  Eigen::MatrixXd indefinite(2, 2);
  indefinite << 1, 1.001, 1.001, 1;
  factorise(indefinite);
  EXPECT_GT(indefinite(1, 1), 0);
  EXPECT_NEAR(indefinite(0, 0), 1, 0.02);
}

}  // namespace
}  // namespace ampere
