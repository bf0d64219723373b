// The log marginal likelihood as a function of log-parameters, with its gradient: what a fit
// climbs.
#pragma once

#include <Eigen/Dense>

namespace ampere {

class MarginalLikelihood {
 public:
  // y must be centred already; `noise_variance` is the known part, one a point.
  MarginalLikelihood(const Eigen::MatrixXd& x, Eigen::VectorXd y, Eigen::VectorXd noise_variance);

  // Logarithms of: the signal variance, one length scale a column, the fitted noise variance.
  Eigen::Index parameters() const { return squared_differences_.cols() + 2; }

  // The value at these log-parameters; `gradient` is resized and filled unless null. Works in
  // buffers of the object: one thread at a time.
  double operator()(const Eigen::VectorXd& log_parameters, Eigen::VectorXd* gradient);

 private:
  void fill_covariance(double signal, double noise);
  void fill_gradient(double signal, double noise, Eigen::VectorXd& gradient);

  Eigen::VectorXd y_, noise_variance_;
  Eigen::MatrixXd squared_differences_;  // a row a pair of points, a column a dimension
  Eigen::ArrayXd squares_, s_, decay_;   // per pair: s² = 5 r², s, e^(−s)
  Eigen::VectorXd precision_;            // per dimension: 5 / length scale²
  Eigen::MatrixXd lower_, inverse_;
  Eigen::VectorXd alpha_, pair_weights_;
};

}  // namespace ampere
