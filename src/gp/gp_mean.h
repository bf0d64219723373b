// The mean of a fitted Gaussian process alone: what is left when nobody asks for its variance,
// ready without any factorisation.
#pragma once

#include <Eigen/Dense>

#include "ampere/gp.h"

namespace ampere {

class GpMean {
 public:
  GpMean() = default;  // 0 everywhere
  explicit GpMean(const GaussianProcess& process);
  GpMean(double constant, double signal_variance, Eigen::VectorXd length_scales, Eigen::MatrixXd x,
         Eigen::VectorXd weights);

  double operator()(const Eigen::VectorXd& at) const;

  double constant() const { return constant_; }
  double signal_variance() const { return signal_variance_; }
  const Eigen::VectorXd& length_scales() const { return length_scales_; }
  const Eigen::MatrixXd& x() const { return x_; }
  const Eigen::VectorXd& weights() const { return weights_; }

 private:
  double constant_ = 0, signal_variance_ = 1;
  Eigen::VectorXd length_scales_;
  Eigen::MatrixXd x_, scaled_x_;
  Eigen::VectorXd weights_;  // covariance⁻¹ (y − constant)
};

}  // namespace ampere
