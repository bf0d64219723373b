#include "gp/matern_sums.h"

#include <gtest/gtest.h>

#include "gp/matern.h"

namespace ampere {
namespace {

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
    const Eigen::VectorXd point = at.row(j);
    Eigen::VectorXd found(5);
    sums(point.data(), kVariance, found.data());
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

TEST(MaternSums, OfNothingAreNone) {
  const double point = 1;
  MaternSums none(Eigen::MatrixXd(0, 1), Eigen::VectorXd(0), {});
  EXPECT_EQ(none.groups(), 0);
  none(&point, 1, nullptr);
}

}  // namespace
}  // namespace ampere
