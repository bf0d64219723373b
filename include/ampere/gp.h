// Gaussian-process regression: Matérn 5/2 with one length-scale per input, noise known per point
// plus a fitted part, hyper-parameters by maximum marginal likelihood.
#pragma once

#include <Eigen/Dense>

#include "ampere/units.h"

namespace ampere {

struct GpHyperparameters {  // in the units of x and y
  double signal_variance = 1;
  Eigen::VectorXd length_scales;
  double noise_variance = 0;  // fitted, on top of the noise given per point
};

struct GpOptions {
  int restarts = 4;
  unsigned seed = 1;
};

// A finished object: always fitted, cheap to ask.
class GaussianProcess {
 public:
  // One row of x per point; columns may be zero (a constant). The mean of y is taken off and put
  // back. Repeated, collinear and single points are fine; non-finite values throw Error(failed).
  static GaussianProcess fit(Eigen::MatrixXd x, Eigen::VectorXd y, Eigen::VectorXd noise_variance,
                             const GpOptions& options = {});
  static GaussianProcess with(GpHyperparameters hyperparameters, Eigen::MatrixXd x,
                              Eigen::VectorXd y, Eigen::VectorXd noise_variance);

  // Of the underlying function, without observation noise.
  Quantity predict(const Eigen::VectorXd& at) const;
  // The same for one row per point; `mean` and `variance` are resized. The fast way for many
  // points.
  void predict(const Eigen::MatrixXd& at, Eigen::VectorXd& mean, Eigen::VectorXd& variance) const;
  Eigen::MatrixXd covariance(const Eigen::MatrixXd& at) const;  // joint posterior of these points

  double log_marginal_likelihood() const { return log_marginal_likelihood_; }
  const GpHyperparameters& hyperparameters() const { return hyperparameters_; }
  const Eigen::MatrixXd& x() const { return x_; }
  const Eigen::VectorXd& y() const { return y_; }
  const Eigen::VectorXd& noise_variance() const { return noise_variance_; }
  // The mean of a prediction is constant + Σ covariance with point i · weight i.
  double constant() const { return mean_; }
  const Eigen::VectorXd& weights() const { return alpha_; }
  // L⁻¹, with L Lᵀ the covariance of the points: a variance is the signal's − |L⁻¹ covariances|².
  const Eigen::MatrixXd& inverse_lower() const { return inverse_lower_; }

 private:
  GaussianProcess() = default;
  GpHyperparameters hyperparameters_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd y_, noise_variance_;
  double mean_ = 0;
  double log_marginal_likelihood_ = 0;
  Eigen::MatrixXd scaled_x_;  // √5 x / length scale
  Eigen::MatrixXd inverse_lower_;
  Eigen::VectorXd alpha_;  // covariance⁻¹ (y − mean)
};

}  // namespace ampere
