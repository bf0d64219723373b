#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/gp.h"
#include "base/packed_matrix.h"
#include "method/kernels/predict/law.h"
#include "method/kernels/predict/shuffled.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSearched = 600;   // points that hyper-parameters are found from
constexpr std::size_t kFew = 150;  // up to these many, several starts cost nothing
constexpr double kTrendRidge = 1;  // strong: near its points the process explains more by itself

// Where a process knows nothing its variance says nothing about the mean either: beyond these the
// numbers of a log-normal distribution would be absurd, and no more honest.
constexpr double kMostShift = 1;   // of the variance that raises the mean
constexpr double kMostSpread = 4;  // of the variance that the standard deviation is made from

// Cost as a power law of the features, ridge regression of the logarithms, what is left of which
// the process explains. Far from all points the power law is what remains.
class Trend {
 public:
  Trend() = default;
  explicit Trend(VectorXd weights) : weights_(std::move(weights)) {}
  static Trend fit(const MatrixXd& x, const VectorXd& y) {
    MatrixXd rows(x.rows(), x.cols() + 1);
    rows << VectorXd::Ones(x.rows()), x;
    MatrixXd normal = rows.transpose() * rows;
    normal.diagonal().tail(x.cols()).array() += kTrendRidge * static_cast<double>(x.rows());
    return Trend(normal.ldlt().solve(rows.transpose() * y));
  }

  VectorXd operator()(const MatrixXd& x) const {
    return (x * weights_.tail(x.cols())).array() + weights_[0];
  }
  const VectorXd& weights() const { return weights_; }

 private:
  VectorXd weights_;
};

class GpLaw : public KernelLaw {
 public:
  GpLaw(Trend trend, GaussianProcess process)
      : trend_(std::move(trend)), process_(std::move(process)) {}

  void predict(const FeatureRows& at, VectorXd& mean, VectorXd& stddev) const override {
    VectorXd variance;
    process_.predict(at.logs, mean, variance);
    variance.array() += process_.hyperparameters().noise_variance;
    mean = level(mean + trend_(at.logs), variance);
    stddev = mean.array() * variance.array().min(kMostSpread).unaryExpr([](double v) {
      return std::sqrt(std::expm1(v));
    });
  }

  // cov(E_i, E_j) = E_i E_j (exp(C_ij) − 1) for logarithms with covariance C.
  MatrixXd covariance(const FeatureRows& at) const override {
    MatrixXd joint = process_.covariance(at.logs);
    joint.diagonal().array() += process_.hyperparameters().noise_variance;
    VectorXd mean, stddev;
    predict(at, mean, stddev);
    return mean.asDiagonal() *
           joint.array()
               .min(kMostSpread)
               .unaryExpr([](double c) { return std::expm1(c); })
               .matrix() *
           mean.asDiagonal();
  }

  Json json() const override {
    return {{"trend", packed(trend_.weights())},
            {"signal_variance", process_.hyperparameters().signal_variance},
            {"length_scales", packed(process_.hyperparameters().length_scales)},
            {"noise_variance", process_.hyperparameters().noise_variance},
            {"x", packed(process_.x())},
            {"y", packed(process_.y())}};
  }

 private:
  static VectorXd level(const VectorXd& log_mean, const VectorXd& variance) {
    return (log_mean.array() + variance.array().min(kMostShift) / 2).exp();
  }

  Trend trend_;
  GaussianProcess process_;
};

}  // namespace

// The search climbs with a share of the points, each step of it costing their cube; the process
// then knows all of them.
SharedLaw fit_gp_law(const FeatureRows& rows, const VectorXd& values, unsigned seed) {
  const VectorXd logs = values.array().log();
  Trend trend = Trend::fit(rows.logs, logs);
  const VectorXd rest = logs - trend(rows.logs);
  std::vector<Index> searched = shuffled(rows.size(), seed);
  searched.resize(static_cast<std::size_t>(std::min(rows.size(), kSearched)));
  const GpHyperparameters found =
      GaussianProcess::fit(rows.logs(searched, Eigen::all), rest(searched),
                           VectorXd::Zero(static_cast<Index>(searched.size())),
                           {.restarts = searched.size() <= kFew ? 2 : 0})
          .hyperparameters();
  return std::make_shared<GpLaw>(
      std::move(trend), GaussianProcess::with(found, rows.logs, rest, VectorXd::Zero(rest.size())));
}

SharedLaw read_gp_law(const JsonField& json, Index features) {
  VectorXd trend = read_vector(json.at("trend"));
  if (trend.size() != features + 1) json.at("trend").fail("does not have one for each feature");
  const GpHyperparameters found{json.at("signal_variance").number(),
                                read_vector(json.at("length_scales")),
                                json.at("noise_variance").number()};
  MatrixXd x = read_matrix(json.at("x"), features);
  VectorXd y = read_vector(json.at("y"));
  try {
    const VectorXd noise = VectorXd::Zero(y.size());
    return std::make_shared<GpLaw>(Trend(std::move(trend)),
                                   GaussianProcess::with(found, std::move(x), std::move(y), noise));
  } catch (const Error& error) {
    json.fail(error.what());
  }
}

}  // namespace ampere
