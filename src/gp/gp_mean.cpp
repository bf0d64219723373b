#include "gp/gp_mean.h"

#include "gp/matern.h"

namespace ampere {

GpMean::GpMean(const GaussianProcess& process)
    : GpMean(process.constant(), process.hyperparameters().signal_variance,
             process.hyperparameters().length_scales, process.x(), process.weights()) {}

GpMean::GpMean(double constant, double signal_variance, Eigen::VectorXd length_scales,
               Eigen::MatrixXd x, Eigen::VectorXd weights)
    : constant_(constant),
      signal_variance_(signal_variance),
      length_scales_(std::move(length_scales)),
      x_(std::move(x)),
      scaled_x_(scale_for_matern(x_, length_scales_)),
      weights_(std::move(weights)) {}

double GpMean::operator()(const Eigen::VectorXd& at) const {
  if (weights_.size() == 0) return constant_;
  Eigen::MatrixXd covariance;
  matern_covariance(scaled_x_, scale_for_matern(at.transpose(), length_scales_), signal_variance_,
                    covariance);
  return constant_ + covariance.col(0).dot(weights_);
}

}  // namespace ampere
