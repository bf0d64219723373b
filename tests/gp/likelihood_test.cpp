#include "gp/likelihood.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gp_test_data.h"

namespace ampere {
namespace {

Eigen::VectorXd some_parameters(Eigen::Index dimensions) {
  Eigen::VectorXd at(dimensions + 2);
  at(0) = std::log(1.3);
  for (Eigen::Index d = 0; d < dimensions; ++d) at(d + 1) = std::log(2.0 + static_cast<double>(d));
  at(dimensions + 1) = std::log(0.02);
  return at;
}

// −½ yᵀK⁻¹y − ½ log|K| − n/2 log 2π with a general-purpose inverse and determinant.
double plain_likelihood(const GpData& data, const Eigen::VectorXd& log_parameters) {
  const Eigen::VectorXd parameters = log_parameters.array().exp();
  const Eigen::Index dimensions = data.x.cols();
  Eigen::MatrixXd covariance =
      plain_kernel({parameters(0), parameters.segment(1, dimensions), 0}, data.x, data.x);
  covariance.diagonal().array() += data.noise_variance.array() + parameters(dimensions + 1);
  return -0.5 * data.y.dot(covariance.inverse() * data.y) -
         0.5 * std::log(covariance.determinant()) -
         0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(data.y.size());
}

class LikelihoodOfDimensions : public testing::TestWithParam<Eigen::Index> {};

TEST_P(LikelihoodOfDimensions, EqualsThePlainFormula) {
  const GpData data = wavy_data(12, GetParam());
  MarginalLikelihood likelihood(data.x, data.y, data.noise_variance);
  const Eigen::VectorXd at = some_parameters(GetParam());
  EXPECT_NEAR(likelihood(at, nullptr), plain_likelihood(data, at), 1e-9);
}

// 40 points, so that the inverse is split into blocks.
TEST_P(LikelihoodOfDimensions, GradientEqualsFiniteDifferences) {
  const GpData data = wavy_data(40, GetParam());
  MarginalLikelihood likelihood(data.x, data.y, data.noise_variance);
  const Eigen::VectorXd at = some_parameters(GetParam());
  Eigen::VectorXd gradient;
  likelihood(at, &gradient);
  ASSERT_EQ(gradient.size(), likelihood.parameters());
  constexpr double kStep = 1e-5;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    Eigen::VectorXd above = at, below = at;
    above(i) += kStep;
    below(i) -= kStep;
    const double slope = (likelihood(above, nullptr) - likelihood(below, nullptr)) / (2 * kStep);
    EXPECT_NEAR(gradient(i), slope, 1e-6 * (1 + std::abs(slope))) << "parameter " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Gp, LikelihoodOfDimensions, testing::Values(0, 1, 2, 3));

TEST(Likelihood, GradientDoesNotChangeTheValue) {
  const GpData data = wavy_data(10, 2);
  MarginalLikelihood likelihood(data.x, data.y, data.noise_variance);
  const Eigen::VectorXd at = some_parameters(2);
  Eigen::VectorXd gradient;
  EXPECT_EQ(likelihood(at, nullptr), likelihood(at, &gradient));
}

}  // namespace
}  // namespace ampere
