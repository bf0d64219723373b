// Hyper-parameters by maximum marginal likelihood, sought in units in which every problem looks
// alike: inputs over their range, y over its standard deviation.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "ampere/error.h"
#include "ampere/gp.h"
#include "gp/check.h"
#include "gp/likelihood.h"
#include "gp/search.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Interval {
  double low, high;
};

// In scaled units. Long length scales with large signals are near-linear functions, which many
// energy curves are; hence the room upwards.
constexpr Interval kSignal{1e-4, 1e4};
constexpr Interval kLength{0.05, 20};
constexpr Interval kNoise{1e-8, 1};

// Where restarts begin: within the bounds, where the likelihood is not flat.
constexpr Interval kSignalStarts{0.3, 100};
constexpr Interval kLengthStarts{0.06, 20};
constexpr Interval kNoiseStarts{1e-5, 0.9};

// Differences under this part of the values themselves are rounding error.
constexpr double kConstant = 1e-12;

struct Scaling {
  double y_mean = 0;
  double y_scale = 1;
  VectorXd x_scales;  // per column: its range, or for a constant one its fixed length scale
  std::vector<Index> varying;  // columns that are not constant
};

double usable_scale(double scale) { return std::isnormal(scale * scale) ? scale : 1; }

Scaling scaling_of(const MatrixXd& x, const VectorXd& y) {
  Scaling scaling;
  scaling.x_scales.resize(x.cols());
  for (Index d = 0; d < x.cols(); ++d) {
    const double size = x.col(d).cwiseAbs().maxCoeff();
    const double range = x.col(d).maxCoeff() - x.col(d).minCoeff();
    const bool constant = range <= kConstant * size || !std::isnormal(range * range);
    if (!constant) scaling.varying.push_back(d);
    scaling.x_scales(d) = constant ? std::max(1.0, size) : range;
  }
  scaling.y_mean = y.mean();
  const double deviation = std::sqrt((y.array() - scaling.y_mean).square().mean());
  const double size = y.cwiseAbs().maxCoeff();
  scaling.y_scale = usable_scale(deviation > kConstant * size ? deviation : size);
  if (!std::isfinite(size * size) || !scaling.x_scales.array().square().allFinite()) {
    throw Error(ErrorCode::failed, "Gaussian process: values too large to square; use other units");
  }
  return scaling;
}

VectorXd log_parameters(double signal, double length, double noise, Index dimensions) {
  VectorXd parameters = VectorXd::Constant(dimensions + 2, std::log(length));
  parameters(0) = std::log(signal);
  parameters(dimensions + 1) = std::log(noise);
  return parameters;
}

Box box_of(Interval signal, Interval length, Interval noise, Index dimensions) {
  return {log_parameters(signal.low, length.low, noise.low, dimensions),
          log_parameters(signal.high, length.high, noise.high, dimensions)};
}

// Smooth, near-linear and wiggly-in-noise guesses, in whose basins most data sets have their
// optimum, then random ones. The engine's bits are used directly: std::uniform_real_distribution
// differs between standard libraries.
std::vector<VectorXd> make_starts(const GpOptions& options, Index dimensions) {
  std::vector<VectorXd> starts{log_parameters(1, 0.5, 1e-3, dimensions)};
  if (options.restarts > 0) starts.push_back(log_parameters(100, 5, 1e-5, dimensions));
  if (options.restarts > 1) starts.push_back(log_parameters(1, 0.2, 3e-2, dimensions));
  const Box box = box_of(kSignalStarts, kLengthStarts, kNoiseStarts, dimensions);
  std::mt19937 engine(options.seed);
  while (std::cmp_less(starts.size(), options.restarts + 1)) {
    VectorXd start = box.lower;
    for (Index i = 0; i < start.size(); ++i) {
      start(i) += (box.upper(i) - box.lower(i)) * (static_cast<double>(engine()) * 0x1p-32);
    }
    starts.push_back(std::move(start));
  }
  return starts;
}

VectorXd search(const MatrixXd& x, const VectorXd& y, const VectorXd& noise_variance,
                const Scaling& scaling, const GpOptions& options) {
  const auto dimensions = static_cast<Index>(scaling.varying.size());
  MatrixXd scaled(x.rows(), dimensions);
  for (Index d = 0; d < dimensions; ++d) {
    const Index column = scaling.varying[static_cast<std::size_t>(d)];
    scaled.col(d) = x.col(column) / scaling.x_scales(column);
  }
  MarginalLikelihood likelihood(scaled, (y.array() - scaling.y_mean) / scaling.y_scale,
                                noise_variance / (scaling.y_scale * scaling.y_scale));
  return maximise(std::ref(likelihood), box_of(kSignal, kLength, kNoise, dimensions),
                  make_starts(options, dimensions))
      .at;
}

}  // namespace

GaussianProcess GaussianProcess::fit(MatrixXd x, VectorXd y, VectorXd noise_variance,
                                     const GpOptions& options) {
  check_points(x, y, noise_variance);
  const Scaling scaling = scaling_of(x, y);
  const double y_variance = scaling.y_scale * scaling.y_scale;
  // One point says nothing about spread: its function is taken to vary by as much as its value.
  GpHyperparameters found{y_variance, scaling.x_scales, kNoise.low * y_variance};
  if (x.rows() > 1) {
    const VectorXd parameters = search(x, y, noise_variance, scaling, options).array().exp();
    found.signal_variance *= parameters(0);
    for (std::size_t d = 0; d < scaling.varying.size(); ++d) {
      found.length_scales(scaling.varying[d]) *= parameters(static_cast<Index>(d) + 1);
    }
    found.noise_variance = y_variance * parameters(parameters.size() - 1);
  }
  return with(std::move(found), std::move(x), std::move(y), std::move(noise_variance));
}

}  // namespace ampere
