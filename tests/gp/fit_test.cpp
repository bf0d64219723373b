#include <gtest/gtest.h>

#include <cmath>

#include "ampere/gp.h"
#include "gp_test_data.h"

namespace ampere {
namespace {

TEST(GpFit, IsTheSameForTheSameSeed) {
  const GpData data = wavy_data(20, 2);
  const GpOptions options{6, 42};
  const auto first = GaussianProcess::fit(data.x, data.y, data.noise_variance, options);
  const auto second = GaussianProcess::fit(data.x, data.y, data.noise_variance, options);
  EXPECT_EQ(first.log_marginal_likelihood(), second.log_marginal_likelihood());
  EXPECT_EQ(first.hyperparameters().length_scales, second.hyperparameters().length_scales);
  EXPECT_EQ(first.hyperparameters().signal_variance, second.hyperparameters().signal_variance);
  EXPECT_EQ(first.hyperparameters().noise_variance, second.hyperparameters().noise_variance);
}

TEST(GpFit, IsWhatWithMakesOfItsHyperparameters) {
  const GpData data = wavy_data(20, 2);
  const auto fitted = GaussianProcess::fit(data.x, data.y, data.noise_variance);
  const auto loaded = GaussianProcess::with(fitted.hyperparameters(), fitted.x(), fitted.y(),
                                            fitted.noise_variance());
  const Eigen::VectorXd at = Eigen::Vector2d(3, 4);
  EXPECT_EQ(loaded.log_marginal_likelihood(), fitted.log_marginal_likelihood());
  EXPECT_EQ(loaded.predict(at).mean, fitted.predict(at).mean);
  EXPECT_EQ(loaded.predict(at).stddev, fitted.predict(at).stddev);
}

TEST(GpFit, DoesNotDependOnUnits) {
  const GpData data = wavy_data(20, 2);
  const auto plain = GaussianProcess::fit(data.x, data.y, data.noise_variance);
  const auto other = GaussianProcess::fit(data.x * 1e3, data.y * 1e-6, data.noise_variance * 1e-12);
  const Eigen::VectorXd at = Eigen::Vector2d(3, 4);
  EXPECT_NEAR(other.predict(Eigen::VectorXd(at * 1e3)).mean * 1e6, plain.predict(at).mean, 1e-4);
  EXPECT_NEAR(other.log_marginal_likelihood() + 20 * std::log(1e-6),
              plain.log_marginal_likelihood(), 1e-6);
}

TEST(GpFit, IsATop) {
  const GpData data = wavy_data(25, 2);
  const auto gp = GaussianProcess::fit(data.x, data.y, data.noise_variance);
  for (const double factor : {0.9, 1.1}) {
    GpHyperparameters signal = gp.hyperparameters(), length = signal;
    signal.signal_variance *= factor;
    length.length_scales *= factor;
    for (const GpHyperparameters& beside : {signal, length}) {
      EXPECT_LT(GaussianProcess::with(beside, data.x, data.y, data.noise_variance)
                    .log_marginal_likelihood(),
                gp.log_marginal_likelihood());
    }
  }
}

TEST(GpFit, MoreRestartsAreNeverWorse) {
  const GpData data = wavy_data(12, 3);
  const auto few = GaussianProcess::fit(data.x, data.y, data.noise_variance, {0, 1});
  const auto many = GaussianProcess::fit(data.x, data.y, data.noise_variance, {8, 1});
  EXPECT_GE(many.log_marginal_likelihood(), few.log_marginal_likelihood() - 1e-6);
}

TEST(GpFit, ContinuesALineWellPastItsPoints) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(8, 1, 64);
  const Eigen::VectorXd y = 2 + 0.5 * x.array();
  const auto gp = GaussianProcess::fit(x, y, Eigen::VectorXd::Zero(8));
  EXPECT_NEAR(gp.predict(Eigen::VectorXd::Constant(1, 96)).mean, 50, 0.5);
}

TEST(GpFit, FindsTheNoiseOfScatteredRepeats) {
  Eigen::VectorXd x(60), y(60);
  for (Eigen::Index i = 0; i < 60; ++i) {
    x(i) = static_cast<double>(i / 6);
    y(i) = x(i) + (i % 2 == 0 ? 0.5 : -0.5);
  }
  const auto gp = GaussianProcess::fit(x, y, Eigen::VectorXd::Zero(60));
  EXPECT_NEAR(gp.hyperparameters().noise_variance, 0.25, 0.05);
  const auto told = GaussianProcess::fit(x, y, Eigen::VectorXd::Constant(60, 0.2));
  EXPECT_NEAR(told.hyperparameters().noise_variance, 0.05, 0.05);
}

TEST(GpFit, TrustsAPointAsMuchAsItsNoiseSays) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(9, 0, 8);
  Eigen::VectorXd y = x, noise = Eigen::VectorXd::Constant(9, 1e-4);
  y(4) += 3;
  noise(4) = 25;
  const auto gp = GaussianProcess::fit(x, y, noise);
  EXPECT_NEAR(gp.predict(Eigen::VectorXd::Constant(1, 4)).mean, 4, 0.2);
}

}  // namespace
}  // namespace ampere
