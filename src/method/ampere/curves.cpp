#include "method/ampere/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ampere {
namespace {

constexpr double kConfidence = 0.9;
constexpr double kDeviations = 1.6448536269514722;  // either side, that hold it
constexpr int kCurveLevels = 60, kSurfaceLevels = 32;
constexpr Eigen::Index kMostSteps = 12, kMostUncertainties = 40, kMostConditioned = 200;

// Whole numbers from low to high, evenly spread.
std::vector<std::int64_t> levels_between(std::int64_t low, std::int64_t high, int most) {
  std::set<std::int64_t> values{high};
  for (int i = 0; i + 1 < most; ++i)
    values.insert(low + std::llround(static_cast<double>(high - low) * i / (most - 1)));
  return {values.begin(), values.end()};
}

// For looking for the largest uncertainty: a thousand places, whatever the number of features.
int drawn_levels(std::size_t features) {
  switch (features) {
    case 1:
      return kCurveLevels;
    case 2:
      return kSurfaceLevels;
    case 3:
      return 10;
    default:
      return features <= 10 ? 2 : 1;
  }
}

Eigen::MatrixXd rows_of(const std::vector<std::vector<double>>& places) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(places.size()),
                       static_cast<Eigen::Index>(places.front().size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    std::ranges::copy(places[i], rows.row(static_cast<Eigen::Index>(i)).begin());
  return rows;
}

Eigen::MatrixXd grid(const KindFit& fit) {
  std::vector<std::vector<double>> places{{}};
  for (std::size_t axis = 0; axis < fit.low.size(); ++axis) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& place : places)
      for (const std::int64_t value :
           levels_between(fit.low[axis], fit.high[axis], drawn_levels(fit.low.size()))) {
        longer.push_back(place);
        longer.back().push_back(static_cast<double>(value));
      }
    places = std::move(longer);
  }
  return rows_of(places);
}

// As it was after the first `points`.
GaussianProcess after(const GaussianProcess& process, Eigen::Index points) {
  return GaussianProcess::with(process.hyperparameters(), process.x().topRows(points),
                               process.y().head(points), process.noise_variance().head(points));
}

struct Band {
  Eigen::VectorXd mean, deviation;
};

Band ask(const GaussianProcess& process, const Eigen::MatrixXd& at) {
  Band band;
  process.predict(at, band.mean, band.deviation);
  band.deviation = band.deviation.cwiseMax(0).cwiseSqrt();
  return band;
}

Json rounded_numbers(const Eigen::VectorXd& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

void put_band(const Band& band, Json& json) {
  json["mean"] = rounded_numbers(band.mean);
  json["low"] = rounded_numbers(band.mean - kDeviations * band.deviation);
  json["high"] = rounded_numbers(band.mean + kDeviations * band.deviation);
}

// How many points, of all, in at most so many steps.
std::vector<Eigen::Index> counts(Eigen::Index all, Eigen::Index most) {
  std::vector<Eigen::Index> chosen;
  for (const std::int64_t count : levels_between(1, all, static_cast<int>(std::min(all, most))))
    chosen.push_back(count);
  return chosen;
}

}  // namespace

Json curve_json(const KindFit& fit) {
  Json json{{"feature", fit.features.front()},
            {"confidence", kConfidence},
            {"x", levels_between(fit.low.front(), fit.high.front(), kCurveLevels)}};
  put_band(ask(fit.energy, grid(fit)), json);
  return json;
}

Json surface_json(const KindFit& fit) {
  const auto xs = levels_between(fit.low[0], fit.high[0], kSurfaceLevels);
  const auto ys = levels_between(fit.low[1], fit.high[1], kSurfaceLevels);
  Eigen::MatrixXd at(static_cast<Eigen::Index>(xs.size()),
                     static_cast<Eigen::Index>(fit.low.size()));
  for (std::size_t axis = 2; axis < fit.low.size(); ++axis)
    at.col(static_cast<Eigen::Index>(axis)).setConstant(static_cast<double>(fit.high[axis]));
  std::ranges::copy(xs, at.col(0).begin());
  Json mean = Json::array(), deviation = Json::array(), fixed = Json::object();
  for (const std::int64_t y : ys) {
    at.col(1).setConstant(static_cast<double>(y));
    const Band row = ask(fit.energy, at);
    mean.push_back(rounded_numbers(row.mean));
    deviation.push_back(rounded_numbers(row.deviation));
  }
  for (std::size_t axis = 2; axis < fit.low.size(); ++axis)
    fixed[fit.features[axis]] = fit.high[axis];
  return {{"features", {fit.features[0], fit.features[1]}},
          {"x", xs},
          {"y", ys},
          {"mean", std::move(mean)},
          {"stddev", std::move(deviation)},
          {"fixed", std::move(fixed)}};
}

Json steps_json(const KindFit& fit) {
  const Eigen::MatrixXd at = grid(fit);
  Json steps = Json::array();
  for (Eigen::Index points = 1; points <= std::min(fit.energy.y().size(), kMostSteps); ++points) {
    Json step{{"points", points}};
    put_band(ask(after(fit.energy, points), at), step);
    steps.push_back(std::move(step));
  }
  return steps;
}

Json uncertainty_json(const KindFit& fit) {
  const Eigen::MatrixXd at = grid(fit);
  Json json = Json::array();
  for (const Eigen::Index points :
       counts(std::min(fit.energy.y().size(), kMostConditioned), kMostUncertainties)) {
    const GaussianProcess process = after(fit.energy, points);
    const double scale = process.y().cwiseAbs().mean();
    const double largest = ask(process, at).deviation.maxCoeff();
    json.push_back({{"points", points},
                    {"share", scale > 0 ? Json(rounded(largest / scale)) : Json(nullptr)}});
  }
  return json;
}

}  // namespace ampere
