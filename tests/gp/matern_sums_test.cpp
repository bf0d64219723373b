#include "gp/matern_sums.h"

#include <gtest/gtest.h>

#include "gp/matern.h"

namespace ampere {
namespace {

MaternSums::Point point_of(const Eigen::RowVectorXd& row) {
  MaternSums::Point point = MaternSums::Point::Zero();
  point.head(row.size()) = row.transpose();
  return point;
}

TEST(MaternSums, AreTheSumsOfTheCovariances) {
  constexpr double kVariance = 2.5;
  const std::vector<Eigen::Index> ends{1, 4, 12, 12, 30};  // one of them has no rows
  const Eigen::MatrixXd x = 4 * Eigen::MatrixXd::Random(30, 3),
                        at = 4 * Eigen::MatrixXd::Random(9, 3);
  const Eigen::VectorXd weights = Eigen::VectorXd::Random(30);
  Eigen::MatrixXd covariance;
  matern_covariance(x, at, kVariance, covariance);
  MaternSums sums(x, weights, ends);
  ASSERT_EQ(sums.groups(), 5);
  for (Eigen::Index j = 0; j < at.rows(); ++j) {
    Eigen::VectorXd found(5);
    sums.add(point_of(at.row(j)), 1);
    sums.take(kVariance, found.data());
    Eigen::Index first = 0;
    for (Eigen::Index i = 0; i < 5; ++i) {
      const Eigen::Index count = ends[static_cast<std::size_t>(i)] - first;
      EXPECT_NEAR(found[i],
                  weights.segment(first, count).dot(covariance.col(j).segment(first, count)),
                  1e-13);
      first += count;
    }
  }
}

TEST(MaternSums, OfSeveralPointsAreAddedUp) {
  const std::vector<Eigen::Index> ends{2, 9};
  MaternSums sums(Eigen::MatrixXd::Random(9, 5), Eigen::VectorXd::Random(9), ends);
  const MaternSums::Point a = MaternSums::Point::Random(), b = MaternSums::Point::Random();
  Eigen::Vector2d of_a, of_b, of_both;
  sums.add(a, 1), sums.take(2, of_a.data());
  sums.add(b, 1), sums.take(2, of_b.data());
  sums.add(a, 3), sums.add(b, -0.5), sums.take(2, of_both.data());
  EXPECT_LT((of_both - (3 * of_a - 0.5 * of_b)).norm(), 1e-13);
}

TEST(MaternSums, OfNothingAreNone) {
  MaternSums none(Eigen::MatrixXd(0, 1), Eigen::VectorXd(0), {});
  EXPECT_EQ(none.groups(), 0);
  none.add(MaternSums::Point::Ones(), 1);
  none.take(1, nullptr);
}

}  // namespace
}  // namespace ampere
