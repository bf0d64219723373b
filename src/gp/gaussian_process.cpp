#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "ampere/error.h"
#include "ampere/gp.h"
#include "gp/check.h"
#include "gp/cholesky.h"
#include "gp/matern.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows predicted at a time: the covariance with a few dozen points stays in the first cache.
constexpr Index kBlock = 128;

void check_hyperparameters(const GpHyperparameters& given, Index columns) {
  const auto fail = [](const std::string& what) {
    throw Error(ErrorCode::failed, "Gaussian process: " + what);
  };
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (!positive(given.signal_variance)) fail("signal_variance must be positive and finite");
  if (given.noise_variance != 0 && !positive(given.noise_variance)) {
    fail("noise_variance must be finite and not negative");
  }
  if (given.length_scales.size() != columns) {
    fail(std::to_string(given.length_scales.size()) + " length_scales for " +
         std::to_string(columns) + " columns of x");
  }
  if (!std::all_of(given.length_scales.begin(), given.length_scales.end(), positive)) {
    fail("length_scales must be positive and finite");
  }
}

void check_inputs(const MatrixXd& at, Index columns) {
  if (at.cols() != columns) {
    throw Error(ErrorCode::failed, "Gaussian process: asked at " + std::to_string(at.cols()) +
                                       " inputs, fitted on " + std::to_string(columns));
  }
  if (!at.allFinite()) {
    throw Error(ErrorCode::failed, "Gaussian process: asked at a value that is not finite");
  }
}

}  // namespace

// Rasmussen & Williams, algorithm 2.1, on y less its mean.
GaussianProcess GaussianProcess::with(GpHyperparameters hyperparameters, MatrixXd x, VectorXd y,
                                      VectorXd noise_variance) {
  check_points(x, y, noise_variance);
  check_hyperparameters(hyperparameters, x.cols());
  GaussianProcess gp;
  gp.hyperparameters_ = std::move(hyperparameters);
  gp.x_ = std::move(x);
  gp.y_ = std::move(y);
  gp.noise_variance_ = std::move(noise_variance);
  gp.mean_ = gp.y_.mean();
  gp.scaled_x_ = scale_for_matern(gp.x_, gp.hyperparameters_.length_scales);

  MatrixXd covariance;
  matern_covariance(gp.scaled_x_, gp.scaled_x_, gp.hyperparameters_.signal_variance, covariance);
  covariance.diagonal().array() += gp.noise_variance_.array() + gp.hyperparameters_.noise_variance;
  factorise(covariance);
  gp.inverse_lower_ = covariance.triangularView<Eigen::Lower>();
  invert_lower(gp.inverse_lower_);

  const VectorXd whitened = gp.inverse_lower_ * (gp.y_.array() - gp.mean_).matrix();
  gp.alpha_ = gp.inverse_lower_.transpose() * whitened;
  gp.log_marginal_likelihood_ =
      -0.5 * whitened.squaredNorm() - half_log_determinant(covariance) -
      0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(gp.y_.size());
  return gp;
}

Quantity GaussianProcess::predict(const VectorXd& at) const {
  VectorXd mean, variance;
  predict(MatrixXd(at.transpose()), mean, variance);
  return {mean(0), std::sqrt(std::max(0.0, variance(0)))};
}

// mean + k*ᵀ α and k** − |L⁻¹ k*|², a block of points at a time.
void GaussianProcess::predict(const MatrixXd& at, VectorXd& mean, VectorXd& variance) const {
  check_inputs(at, x_.cols());
  const MatrixXd scaled = scale_for_matern(at, hyperparameters_.length_scales);
  mean.setConstant(at.rows(), mean_);
  variance.setConstant(at.rows(), hyperparameters_.signal_variance);
  MatrixXd covariance, whitened;
  for (Index first = 0; first < at.rows(); first += kBlock) {
    const Index count = std::min(kBlock, at.rows() - first);
    matern_covariance(scaled.middleRows(first, count), scaled_x_, hyperparameters_.signal_variance,
                      covariance);
    mean.segment(first, count).noalias() += covariance * alpha_;
    whitened.noalias() = covariance * inverse_lower_.transpose();
    for (Index i = 0; i < whitened.cols(); ++i) {
      variance.segment(first, count).array() -= whitened.col(i).array().square();
    }
  }
  variance = variance.cwiseMax(0);
}

MatrixXd GaussianProcess::covariance(const MatrixXd& at) const {
  check_inputs(at, x_.cols());
  const MatrixXd scaled = scale_for_matern(at, hyperparameters_.length_scales);
  MatrixXd with_points, joint;
  matern_covariance(scaled, scaled_x_, hyperparameters_.signal_variance, with_points);
  matern_covariance(scaled, scaled, hyperparameters_.signal_variance, joint);
  const MatrixXd whitened = with_points * inverse_lower_.transpose();
  joint.noalias() -= whitened * whitened.transpose();
  joint.diagonal() = joint.diagonal().cwiseMax(0);
  return joint;
}

}  // namespace ampere
