// The log marginal likelihood as a function of log-parameters, with its gradient: what a fit
// climbs. The covariance is Matérn 5/2, plus a linear trend where one is asked for:
//   k(x, x') = σ² R(x, x') + τ² (1 + x·x' / d) + noise.
#pragma once

#include <Eigen/Dense>

namespace ampere {

enum class GpTrend { none, linear };

class MarginalLikelihood {
 public:
  // y must be centred already; `noise_variance` is the known part, one a point.
  MarginalLikelihood(const Eigen::MatrixXd& x, Eigen::VectorXd y, Eigen::VectorXd noise_variance,
                     GpTrend trend = GpTrend::none);

  // Logarithms of: the signal variance σ², one length scale a column, the fitted noise variance,
  // and with a trend its variance τ².
  Eigen::Index parameters() const {
    return squared_differences_.cols() + (trend_ == GpTrend::none ? 2 : 3);
  }

  // The value at these log-parameters; `gradient` is resized and filled unless null. Works in
  // buffers of the object: one thread at a time.
  double operator()(const Eigen::VectorXd& log_parameters, Eigen::VectorXd* gradient);

 private:
  struct Variances {
    double signal, noise, trend;
  };
  void fill_covariance(const Variances& variances);
  void fill_gradient(const Variances& variances, Eigen::VectorXd& gradient);

  Eigen::VectorXd y_, noise_variance_;
  GpTrend trend_;
  Eigen::MatrixXd products_;             // with a trend: 1 + x·x' / d, a row and a column a point
  Eigen::MatrixXd squared_differences_;  // a row a pair of points, a column a dimension
  Eigen::ArrayXd squares_, s_, decay_;   // per pair: s² = 5 r², s, e^(−s)
  Eigen::VectorXd precision_;            // per dimension: 5 / length scale²
  Eigen::MatrixXd lower_, inverse_;
  Eigen::VectorXd alpha_, pair_weights_;
};

}  // namespace ampere
