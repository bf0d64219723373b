// The posterior of the hyper-parameters: the marginal likelihood and a normal prior of each
// logarithm.
#include <cmath>

#include "gp/likelihood.h"
#include "gp/search.h"
#include "gp/trended_process.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of the logarithm of a length or of a standard deviation; the prior's own deviation is 1.
struct Prior {
  double centre, low, high;
};
const Prior kLengthPrior{std::log(3.0), -2, 4};
const Prior kSignalPrior{std::log(0.5), -3, 2};
const Prior kNoisePrior{std::log(0.05), -5, 0};
const Prior kTrendPrior{std::log(0.3), -4, 2};

// In the order of MarginalLikelihood, whose parameters are logarithms of variances where the priors
// are about standard deviations: hence the factors of 2.
struct Parameter {
  Prior prior;
  double factor;
};
Parameter parameter(Index place, Index dimensions) {
  if (place == 0) return {kSignalPrior, 2};
  if (place <= dimensions) return {kLengthPrior, 1};
  return {place == dimensions + 1 ? kNoisePrior : kTrendPrior, 2};
}

}  // namespace

TrendedHyperparameters fit_trended(const MatrixXd& x, const VectorXd& y, int most_evaluations) {
  const Index dimensions = x.cols(), parameters = dimensions + 3;
  Box box{VectorXd(parameters), VectorXd(parameters)};
  VectorXd start(parameters);
  for (Index i = 0; i < parameters; ++i) {
    const auto [prior, factor] = parameter(i, dimensions);
    box.lower[i] = factor * prior.low;
    box.upper[i] = factor * prior.high;
    start[i] = factor * prior.centre;
  }
  MarginalLikelihood likelihood(x, y, VectorXd::Zero(y.size()), GpTrend::linear);
  const auto posterior = [&](const VectorXd& at, VectorXd* gradient) {
    double value = likelihood(at, gradient);
    for (Index i = 0; i < parameters; ++i) {
      const auto [prior, factor] = parameter(i, dimensions);
      const double off = at[i] / factor - prior.centre;
      value -= off * off / 2;
      if (gradient != nullptr) (*gradient)[i] -= off / factor;
    }
    return value;
  };
  const VectorXd best = climb(posterior, box, start, most_evaluations).at;
  return {std::exp(best[0]), std::exp(best[dimensions + 1]), std::exp(best[dimensions + 2]),
          best.segment(1, dimensions).array().exp()};
}

}  // namespace ampere
