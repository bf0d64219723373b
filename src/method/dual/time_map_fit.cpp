#include <algorithm>
#include <cmath>
#include <functional>

#include "ampere/error.h"
#include "method/dual/time_map.h"
#include "method/dual/width_features.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSearched = 150;  // points that a process's hyper-parameters are found from
constexpr int kMapFolds = 5;
constexpr Index kLeastForTrees = 12;
constexpr double kTrendRidge = 1e-3;
constexpr double kRepeatError = 0.005;  // a timing against the same timing later
constexpr double kUnknownError = 0.1;   // with too few points to tell

struct Points {
  MatrixXd trend, tiles, phases;
  VectorXd y;

  Points at(const std::vector<Index>& rows) const {
    return {trend(rows, Eigen::all), tiles(rows, Eigen::all), phases(rows, Eigen::all), y(rows)};
  }
  Index size() const { return y.size(); }
};

MatrixXd rows_of(const std::vector<TimedPoint>& points,
                 const std::function<VectorXd(Widths)>& features) {
  const VectorXd first = features(points.front().features);
  MatrixXd rows(static_cast<Index>(points.size()), first.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.row(static_cast<Index>(i)) = features(points[i].features);
  return rows;
}

// Every n-th, so that the whole range is in it.
std::vector<Index> thinned(Index count, Index most) {
  std::vector<Index> rows;
  const Index kept = std::min(count, most);
  for (Index i = 0; i < kept; ++i) rows.push_back(i * count / kept);
  return rows;
}

GpHyperparameters search(const MatrixXd& x, const VectorXd& y) {
  const std::vector<Index> rows = thinned(y.size(), kSearched);
  return GaussianProcess::fit(x(rows, Eigen::all), y(rows),
                              VectorXd::Zero(static_cast<Index>(rows.size())), {.restarts = 1})
      .hyperparameters();
}

GaussianProcess condition(const GpHyperparameters& hyperparameters, const MatrixXd& x,
                          const VectorXd& y) {
  return GaussianProcess::with(hyperparameters, x, y, VectorXd::Zero(y.size()));
}

VectorXd fit_trend(const MatrixXd& x, const VectorXd& y) {
  MatrixXd normal = x.transpose() * x;
  const double level = kTrendRidge * static_cast<double>(y.size());
  normal.diagonal().tail(normal.rows() - 1).array() += level;
  normal(0, 0) += 1e-9;
  return normal.ldlt().solve(x.transpose() * y);
}

struct Predictions {
  VectorXd process, trees;

  VectorXd mixed(double trees_weight) const {
    return trees_weight > 0 ? VectorXd(trees_weight * trees + (1 - trees_weight) * process)
                            : process;
  }
};

// What each of the two says of the points it has not seen; without trees, those are absent.
Predictions cross_validate(const Points& points, const GpHyperparameters& hyperparameters,
                           bool with_trees) {
  Predictions predicted{VectorXd(points.size()), VectorXd(with_trees ? points.size() : 0)};
  const Index folds = std::min<Index>(kMapFolds, points.size());
  for (Index fold = 0; fold < folds; ++fold) {
    std::vector<Index> seen, unseen;
    for (Index i = 0; i < points.size(); ++i) (i % folds == fold ? unseen : seen).push_back(i);
    const Points training = points.at(seen), test = points.at(unseen);
    const GpMean process(condition(hyperparameters, training.phases, training.y));
    for (std::size_t i = 0; i < unseen.size(); ++i)
      predicted.process[unseen[i]] = process(test.phases.row(static_cast<Index>(i)));
    if (!with_trees) continue;
    const VectorXd trend = fit_trend(training.trend, training.y);
    const BoostedTrees trees =
        BoostedTrees::fit(training.tiles, training.y - training.trend * trend);
    for (std::size_t i = 0; i < unseen.size(); ++i) {
      const auto row = static_cast<Index>(i);
      predicted.trees[unseen[i]] = test.trend.row(row).dot(trend) + trees(test.tiles.row(row));
    }
  }
  return predicted;
}

// The weight of the trees with the smallest mean absolute error, and that mixture's rms error.
void weigh(const Points& points, const Predictions& predicted, TimeMap::Parts& parts) {
  double best = INFINITY;
  for (const double weight : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const VectorXd error = predicted.mixed(weight) - points.y;
    const double size = error.cwiseAbs().mean();
    if (size >= best) continue;
    best = size;
    parts.trees_weight = weight;
    parts.device_error = std::sqrt(error.squaredNorm() / static_cast<double>(error.size()));
  }
  parts.device_error = std::max(parts.device_error, kRepeatError);
}

// Returns what the map says of the points it has not seen, or nothing where there are no others.
VectorXd fit_device(const Points& points, TimeMap::Parts& parts) {
  parts.repeat_error = kRepeatError;
  parts.device_error = kUnknownError;
  if (points.size() < 2 || points.phases.cols() == 0) {
    parts.smooth = GpMean(points.y.mean(), 1, VectorXd::Ones(points.phases.cols()),
                          MatrixXd(0, points.phases.cols()), VectorXd(0));
    if (points.phases.cols() == 0) parts.device_error = kRepeatError;
    return {};
  }
  const GpHyperparameters hyperparameters = search(points.phases, points.y);
  parts.smooth = GpMean(condition(hyperparameters, points.phases, points.y));
  const bool with_trees = points.size() >= kLeastForTrees;
  const Predictions predicted = cross_validate(points, hyperparameters, with_trees);
  if (!with_trees) return predicted.process;
  weigh(points, predicted, parts);
  parts.trend = fit_trend(points.trend, points.y);
  if (parts.trees_weight > 0)
    parts.steps = BoostedTrees::fit(points.tiles, points.y - points.trend * parts.trend);
  return predicted.mixed(parts.trees_weight);
}

GpMean fit_host(const std::vector<TimedPoint>& points) {
  VectorXd y(static_cast<Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    y[static_cast<Index>(i)] = std::log(points[i].host_s.value());
  const MatrixXd x = rows_of(points, launch_features);
  if (y.size() < 2 || x.cols() == 0)
    return {y.mean(), 1, VectorXd::Ones(x.cols()), MatrixXd(0, x.cols()), VectorXd(0)};
  const std::vector<Index> rows = thinned(y.size(), kSearched);
  return GpMean(condition(search(x, y), x(rows, Eigen::all), y(rows)));
}

// Points of equal widths become one: the geometric mean.
std::vector<TimedPoint> merged(const std::vector<TimedPoint>& points) {
  struct Sum {
    double device = 0, host = 0;
    int count = 0, with_host = 0;
  };
  std::map<std::vector<std::int64_t>, Sum> sums;
  for (const TimedPoint& point : points) {
    Sum& sum = sums[point.features];
    sum.device += std::log(point.device_s);
    ++sum.count;
    if (!point.host_s) continue;
    sum.host += std::log(*point.host_s);
    ++sum.with_host;
  }
  std::vector<TimedPoint> single;
  for (const auto& [features, sum] : sums) {
    single.push_back({features, std::exp(sum.device / sum.count), {}});
    if (sum.with_host > 0) single.back().host_s = std::exp(sum.host / sum.with_host);
  }
  return single;
}

}  // namespace

TimeMap TimeMap::fit(const std::vector<TimedPoint>& points, std::int64_t taps) {
  return fit_validated(points, taps).map;
}

TimeMap::Validated TimeMap::fit_validated(const std::vector<TimedPoint>& given, std::int64_t taps) {
  if (given.empty()) throw Error(ErrorCode::unknown, "no block of this kind was timed");
  const std::vector<TimedPoint> points = merged(given);
  Parts parts;
  parts.taps = taps;
  Points table{rows_of(points, trend_features),
               rows_of(points, [&](Widths widths) { return tile_features(widths, taps); }),
               rows_of(points, [&](Widths widths) { return phase_features(widths, taps); }),
               VectorXd(static_cast<Index>(points.size()))};
  parts.low = parts.high = points.front().features;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const TimedPoint& point = points[i];
    table.y[static_cast<Index>(i)] = std::log(point.device_s);
    parts.timed[point.features] = point.device_s;
    for (std::size_t axis = 0; axis < point.features.size(); ++axis) {
      parts.low[axis] = std::min(parts.low[axis], point.features[axis]);
      parts.high[axis] = std::max(parts.high[axis], point.features[axis]);
    }
  }
  const VectorXd untimed = fit_device(table, parts);
  parts.has_host = std::all_of(points.begin(), points.end(),
                               [](const TimedPoint& p) { return p.host_s.has_value(); });
  if (parts.has_host) parts.host = fit_host(points);
  Validated validated{TimeMap(std::move(parts)), {}};
  for (Index i = 0; i < untimed.size(); ++i)
    validated.untimed[points[static_cast<std::size_t>(i)].features] = std::exp(untimed[i]);
  return validated;
}

}  // namespace ampere
