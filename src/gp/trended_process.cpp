#include "gp/trended_process.h"

#include <algorithm>
#include <utility>

#include "gp/cholesky.h"
#include "gp/matern.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kJitter = 1e-8;

VectorXd centred(const VectorXd& y) { return y.array() - y.mean(); }

}  // namespace

TrendedProcess::TrendedProcess(TrendedHyperparameters hyperparameters, MatrixXd x, double constant,
                               VectorXd weights)
    : hyperparameters_(std::move(hyperparameters)),
      x_(std::move(x)),
      scaled_x_(scale_for_matern(x_, hyperparameters_.length_scales)),
      constant_(constant),
      weights_(std::move(weights)) {
  const double columns = static_cast<double>(std::max<Index>(1, x_.cols()));
  level_ = hyperparameters_.trend * weights_.sum();
  slopes_ = hyperparameters_.trend / columns * (x_.transpose() * weights_);
}

TrendedProcess::Predictions TrendedProcess::predict(const MatrixXd& at) const {
  Predictions predictions{VectorXd::Constant(at.rows(), constant_),
                          VectorXd::Constant(at.rows(), hyperparameters_.signal)};
  if (weights_.size() > 0) {
    predictions.mean.array() += level_;
    predictions.mean += at * slopes_;
    MatrixXd correlation;  // a column per place
    matern_covariance(scaled_x_, scale_for_matern(at, hyperparameters_.length_scales), 1,
                      correlation);
    predictions.mean += hyperparameters_.signal * (correlation.transpose() * weights_);
    const Eigen::ArrayXd nearest = correlation.colwise().maxCoeff().transpose().array();
    predictions.variance.array() *= 1 - nearest.square();
  }
  predictions.variance.array() += hyperparameters_.noise;
  return predictions;
}

ConditionedProcess::ConditionedProcess(const TrendedHyperparameters& hyperparameters,
                                       const MatrixXd& x, const VectorXd& y) {
  const MatrixXd scaled = scale_for_matern(x, hyperparameters.length_scales);
  matern_covariance(scaled, scaled, hyperparameters.signal, inverse_);
  inverse_ += hyperparameters.trend * trend_products(x, x);
  inverse_.diagonal().array() += hyperparameters.noise + kJitter;
  factorise(inverse_);
  invert_lower(inverse_);
  square_lower(inverse_);
  inverse_ = MatrixXd(inverse_.selfadjointView<Eigen::Lower>());
  process_ = TrendedProcess(hyperparameters, x, y.mean(), inverse_ * centred(y));
}

ConditionedProcess::LeftOut ConditionedProcess::without(const std::vector<Index>& points) const {
  std::vector<bool> is_out(static_cast<std::size_t>(inverse_.rows()), false);
  for (const Index point : points) is_out[static_cast<std::size_t>(point)] = true;
  std::vector<Index> others;
  for (Index i = 0; i < inverse_.rows(); ++i)
    if (!is_out[static_cast<std::size_t>(i)]) others.push_back(i);

  LeftOut result;
  const VectorXd& weights = process_.weights();
  result.residuals = inverse_(points, points).llt().solve(weights(points));
  result.process = TrendedProcess(process_.hyperparameters(), process_.x()(others, Eigen::all),
                                  process_.constant(),
                                  weights(others) - inverse_(others, points) * result.residuals);
  result.variances = result.process.predict(process_.x()(points, Eigen::all)).variance;
  return result;
}

}  // namespace ampere
