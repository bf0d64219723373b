#include "base/nonnegative.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"

namespace ampere {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd solve(const MatrixXd& a, const VectorXd& b) {
  return nonnegative_least_squares(a, b, VectorXd::Zero(a.cols()), VectorXd::Zero(a.cols()));
}

TEST(NonnegativeLeastSquares, IsThePlainSolutionWhereThatIsPositive) {
  const MatrixXd a{{1, 0}, {1, 1}, {0, 2}};
  EXPECT_LT((solve(a, a * Eigen::Vector2d(3, 0.5)) - Eigen::Vector2d(3, 0.5)).norm(), 1e-10);
}

// |x1 − x2 − 1|² + |x2 + 1|²: x2 would be −1, and with it at 0 x1 is 1.
TEST(NonnegativeLeastSquares, WhatWouldBeNegativeIsZeroAndTheOthersAreFittedAnew) {
  const MatrixXd a{{1, -1}, {0, 1}};
  const VectorXd x = solve(a, Eigen::Vector2d(1, -1));
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_EQ(x[1], 0);
}

TEST(NonnegativeLeastSquares, AColumnOfZerosGetsNothing) {
  const MatrixXd a{{1, 0}, {2, 0}};
  const VectorXd x =
      nonnegative_least_squares(a, Eigen::Vector2d(2, 4), VectorXd::Zero(2), Eigen::Vector2d(0, 7));
  EXPECT_NEAR(x[0], 2, 1e-12);
  EXPECT_EQ(x[1], 0);
}

TEST(NonnegativeLeastSquares, AColumnOfZerosWithRidgeGetsThePrior) {
  const MatrixXd a{{1, 0}, {2, 0}};
  const VectorXd x = nonnegative_least_squares(a, Eigen::Vector2d(2, 4), Eigen::Vector2d(0, 0.1),
                                               Eigen::Vector2d(0, 7));
  EXPECT_NEAR(x[1], 7, 1e-12);
}

// (x − 2)² + r (x − p)²: x = (2 + r p) / (1 + r).
TEST(NonnegativeLeastSquares, TheRidgePullsToThePrior) {
  const MatrixXd one = MatrixXd::Ones(1, 1);
  const auto pulled = [&](double ridge, double prior) {
    return nonnegative_least_squares(one, VectorXd::Constant(1, 2), VectorXd::Constant(1, ridge),
                                     VectorXd::Constant(1, prior))[0];
  };
  EXPECT_NEAR(pulled(0, 10), 2, 1e-12);
  EXPECT_NEAR(pulled(1, 10), 6, 1e-12);
  EXPECT_NEAR(pulled(1e9, 10), 10, 1e-7);
  EXPECT_NEAR(pulled(1, -1), 0.5, 1e-12);
  EXPECT_EQ(pulled(1, -5), 0);
}

TEST(NonnegativeLeastSquares, NothingIsAskedNothingIsAnswered) {
  EXPECT_EQ(solve(MatrixXd(3, 0), VectorXd::Ones(3)).size(), 0);
  EXPECT_EQ(solve(MatrixXd(0, 2), VectorXd(0)), Eigen::Vector2d(0, 0));
}

TEST(NonnegativeLeastSquares, ColumnsOfAnySizeAreSolved) {
  const MatrixXd a = MatrixXd{{1, 2}, {3, 1}, {2, 2}} * Eigen::Vector2d(1e9, 1e-9).asDiagonal();
  const Eigen::Vector2d x(2e-9, 5e8);
  EXPECT_LT((solve(a, a * x) - x).cwiseQuotient(x).norm(), 1e-8);
}

MatrixXd matrix_of(const Json& rows) {
  MatrixXd matrix(rows.size(), rows.at(0).size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = rows[i][j].get<double>();
  return matrix;
}

VectorXd vector_of(const Json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// tests/data/base/make_nnls.py
TEST(NonnegativeLeastSquares, AgreesWithScipy) {
  const Json cases = Json::parse(read_text_file(AMPERE_TEST_DATA "/base/nnls.json"));
  for (const Json& given : cases) {
    const VectorXd x =
        nonnegative_least_squares(matrix_of(given.at("a")), vector_of(given.at("b")),
                                  vector_of(given.at("ridge")), vector_of(given.at("prior")));
    EXPECT_LT((x - vector_of(given.at("x"))).cwiseAbs().maxCoeff(), 1e-7) << given.at("name");
  }
}

}  // namespace
}  // namespace ampere
