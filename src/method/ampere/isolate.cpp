#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "method/ampere/fit.h"

namespace ampere {
namespace {

// A handful of windows can agree by luck; no point is trusted further than this share of its mean.
constexpr double kSmallestRelativeError = 0.003;

double noise_variance(const Statistic& statistic) {
  const double error = std::max(assumed_error(statistic), kSmallestRelativeError * statistic.mean);
  return error * error;
}

struct Point {
  std::vector<std::int64_t> features;
  Prediction energy, time;  // with the variance as noise
};

void subtract(Prediction& whole, const Prediction& part) {
  whole.mean -= part.mean;
  whole.variance += part.variance;
}

// E_hid(C1, C2) = E_model(C1, C2) − Ê_in(C1) − Ê_out(C2), and likewise with one companion or none.
Point isolate_point(const BlockKind& kind, const Observation& observation, const Fits& known) {
  const Measurement& measured = *observation.measurement;
  Point point;
  point.energy = {measured.energy_j.mean, noise_variance(measured.energy_j)};
  point.time = {measured.time_s.mean, noise_variance(measured.time_s)};
  bool found = false;
  for (const Block& block : parse_blocks(observation.model)) {
    if (!found && block.kind->key == kind.key) {
      found = true;
      point.features = block.features;
      continue;
    }
    const auto fit = known.find(block.kind->key);
    if (fit == known.end())
      throw Error(ErrorCode::unknown,
                  fmt::format("'{}' cannot be isolated: its companion '{}' is not fitted yet",
                              kind.title, block.kind->title));
    Eigen::VectorXd at(block.features.size());
    std::ranges::copy(block.features, at.begin());
    subtract(point.energy, fit->second.energy.predict(at));
    subtract(point.time, fit->second.time.predict(at));
  }
  if (!found)
    throw Error(ErrorCode::failed,
                fmt::format("an observation stored for '{}' does not contain it", kind.title));
  return point;
}

}  // namespace

bool can_isolate(const BlockKind& kind, const Observation& observation, const Fits& known) {
  return std::ranges::all_of(parse_blocks(observation.model), [&](const Block& block) {
    return block.kind->key == kind.key || known.contains(block.kind->key);
  });
}

KindData isolate(const BlockKind& kind, std::span<const Observation> observations,
                 const Fits& known) {
  std::vector<Point> points;
  for (const Observation& observation : observations)
    if (observation.measurement) points.push_back(isolate_point(kind, observation, known));

  const auto rows = static_cast<Eigen::Index>(points.size());
  KindData data{Eigen::MatrixXd(rows, kind.features.size()), Eigen::VectorXd(rows),
                Eigen::VectorXd(rows), Eigen::VectorXd(rows), Eigen::VectorXd(rows)};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Point& point = points[row];
    for (Eigen::Index column = 0; column < data.x.cols(); ++column)
      data.x(row, column) = static_cast<double>(point.features[column]);
    data.energy[row] = point.energy.mean;
    data.energy_noise_variance[row] = point.energy.variance;
    data.time[row] = point.time.mean;
    data.time_noise_variance[row] = point.time.variance;
  }
  return data;
}

}  // namespace ampere
