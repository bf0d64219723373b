// A Gaussian process with a linear trend, for many points with many inputs:
//   k(x, x') = σ² R(x, x') + τ² (1 + x·x' / d) + noise,   R: Matérn 5/2 with one length per input.
// Inputs are standardised, and y is the logarithm of a ratio: the priors of the hyper-parameters
// expect such numbers. Prediction needs no factorisation.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace ampere {

struct TrendedHyperparameters {  // variances
  double signal = 0.25, noise = 0.0025, trend = 0.09;
  Eigen::VectorXd length_scales;
};

// The hyper-parameters that are most likely a posteriori, from a climb of so many evaluations.
// One row of x per value of y; y is centred.
TrendedHyperparameters fit_trended(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                                   int most_evaluations);

// A process that is conditioned on points.
class TrendedProcess {
 public:
  TrendedProcess() = default;  // 0 everywhere
  TrendedProcess(TrendedHyperparameters hyperparameters, Eigen::MatrixXd x, double constant,
                 Eigen::VectorXd weights);

  struct Predictions {
    Eigen::VectorXd mean;
    // The variance of a new observation if the nearest point were the only one: σ²(1 − c²) + noise,
    // with c the correlation of the two. The exact variance needs the factor of all points.
    Eigen::VectorXd variance;
  };
  Predictions predict(const Eigen::MatrixXd& at) const;  // a row per point

  const TrendedHyperparameters& hyperparameters() const { return hyperparameters_; }
  const Eigen::MatrixXd& x() const { return x_; }
  double constant() const { return constant_; }
  const Eigen::VectorXd& weights() const { return weights_; }

 private:
  TrendedHyperparameters hyperparameters_;
  Eigen::MatrixXd x_, scaled_x_;
  double constant_ = 0;
  Eigen::VectorXd weights_;  // covariance⁻¹ (y − constant)
  // The trend's share of the mean, which is linear: level + slopes·x.
  double level_ = 0;
  Eigen::VectorXd slopes_;
};

// The same with what is needed to leave points out again.
class ConditionedProcess {
 public:
  ConditionedProcess(const TrendedHyperparameters& hyperparameters, const Eigen::MatrixXd& x,
                     const Eigen::VectorXd& y);

  const TrendedProcess& process() const { return process_; }

  struct LeftOut {
    TrendedProcess process;     // of the other points
    Eigen::VectorXd residuals;  // y − its mean at the points that were left out
    Eigen::VectorXd variances;  // as it predicts them there
  };
  // With B the points left out, e_B = (K⁻¹)_BB⁻¹ α_B, and the weights of the others are
  // α_R − (K⁻¹)_RB e_B: no other factorisation is needed.
  LeftOut without(const std::vector<Eigen::Index>& points) const;

 private:
  TrendedProcess process_;
  Eigen::MatrixXd inverse_;  // K⁻¹
};

}  // namespace ampere
