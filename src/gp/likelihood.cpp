#include "gp/likelihood.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "gp/cholesky.h"
#include "gp/matern.h"

namespace ampere {
namespace {

using Eigen::Index;

// Pairs run down the strict lower triangle column by column, so that the pairs of one column of the
// covariance are contiguous both there and in the vectors over pairs. `visit(column, first, count)`
template <typename Visit>
void for_each_column_of_pairs(Index points, Visit visit) {
  Index first = 0;
  for (Index column = 0; column + 1 < points; ++column) {
    const Index count = points - 1 - column;
    visit(column, first, count);
    first += count;
  }
}

}  // namespace

MarginalLikelihood::MarginalLikelihood(const Eigen::MatrixXd& x, Eigen::VectorXd y,
                                       Eigen::VectorXd noise_variance, GpTrend trend)
    : y_(std::move(y)), noise_variance_(std::move(noise_variance)), trend_(trend) {
  if (trend_ == GpTrend::linear) products_ = trend_products(x, x);
  const Index points = x.rows();
  const Index pairs = points * (points - 1) / 2;
  squared_differences_.resize(pairs, x.cols());
  for (Index d = 0; d < x.cols(); ++d) {
    for_each_column_of_pairs(points, [&](Index column, Index first, Index count) {
      squared_differences_.col(d).segment(first, count) =
          (x.col(d).tail(count).array() - x(column, d)).square();
    });
  }
  squares_.resize(pairs);
  s_.resize(pairs);
  decay_.resize(pairs);
  pair_weights_.resize(pairs);
  lower_.resize(points, points);
}

void MarginalLikelihood::fill_covariance(const Variances& variances) {
  const double signal = variances.signal;
  squares_.matrix().noalias() = squared_differences_ * precision_;
  s_ = squares_.sqrt();
  decay_ = (-s_).exp();
  lower_.diagonal().array() = noise_variance_.array() + (signal + variances.noise);
  for_each_column_of_pairs(y_.size(), [&](Index column, Index first, Index count) {
    lower_.col(column).tail(count).array() =
        signal * (1.0 + s_.segment(first, count) + squares_.segment(first, count) * (1.0 / 3.0)) *
        decay_.segment(first, count);
  });
  if (trend_ == GpTrend::linear)
    lower_.triangularView<Eigen::Lower>() += variances.trend * products_;
}

// ∂/∂θ = ½ tr(W ∂K/∂θ) with W = α αᵀ − K⁻¹, and for K = σ² R + diag(noise):
//   θ = log l_d:      ∂k/∂θ = σ² (1 + s) e^(−s) · s_d² / 3   with s_d² = 5 (x_d − x'_d)² / l_d²
//   θ = log noise:    ∂K/∂θ = noise · I
//   θ = log τ²:       ∂K/∂θ = τ² (1 + x·x' / d)
//   θ = log σ²:       ∂K/∂θ = σ² R = K − diag(all noise) − trend, so tr(W K) = yᵀα − n gives it for
//                     free
void MarginalLikelihood::fill_gradient(const Variances& variances, Eigen::VectorXd& gradient) {
  inverse_ = lower_;
  invert_lower(inverse_);
  square_lower(inverse_);

  for_each_column_of_pairs(y_.size(), [&](Index column, Index first, Index count) {
    pair_weights_.segment(first, count) =
        alpha_(column) * alpha_.tail(count) - inverse_.col(column).tail(count);
  });
  const Eigen::ArrayXd diagonal = alpha_.array().square() - inverse_.diagonal().array();
  double trend_trace = 0;  // τ² tr(W products)
  if (trend_ == GpTrend::linear) {
    trend_trace = (diagonal * products_.diagonal().array()).sum();
    for_each_column_of_pairs(y_.size(), [&](Index column, Index first, Index count) {
      trend_trace += 2 * pair_weights_.segment(first, count).dot(products_.col(column).tail(count));
    });
    trend_trace *= variances.trend;
  }
  pair_weights_.array() *= (1.0 + s_) * decay_;

  const Index dimensions = squared_differences_.cols();
  gradient.resize(parameters());
  gradient.segment(1, dimensions).noalias() = squared_differences_.transpose() * pair_weights_;
  gradient.segment(1, dimensions).array() *= variances.signal / 3 * precision_.array();
  const double trace = y_.dot(alpha_) - static_cast<double>(y_.size());
  const double noise_trace = variances.noise * diagonal.sum();
  gradient(0) =
      0.5 * (trace - (diagonal * noise_variance_.array()).sum() - noise_trace - trend_trace);
  gradient(dimensions + 1) = 0.5 * noise_trace;
  if (trend_ == GpTrend::linear) gradient(dimensions + 2) = 0.5 * trend_trace;
}

double MarginalLikelihood::operator()(const Eigen::VectorXd& log_parameters,
                                      Eigen::VectorXd* gradient) {
  const Index dimensions = squared_differences_.cols();
  const Variances variances{
      std::exp(log_parameters(0)), std::exp(log_parameters(dimensions + 1)),
      trend_ == GpTrend::linear ? std::exp(log_parameters(dimensions + 2)) : 0};
  precision_ = 5.0 * (-2.0 * log_parameters.segment(1, dimensions).array()).exp();
  fill_covariance(variances);
  factorise(lower_);
  alpha_ = lower_.triangularView<Eigen::Lower>().solve(y_);
  const double misfit = alpha_.squaredNorm();
  lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(alpha_);
  if (gradient != nullptr) fill_gradient(variances, *gradient);
  const double constant = 0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(y_.size());
  return -0.5 * misfit - half_log_determinant(lower_) - constant;
}

}  // namespace ampere
