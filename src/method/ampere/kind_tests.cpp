#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/ampere/fit.h"
#include "method/ampere/kind_within.h"
#include "method/ampere/test_points.h"

namespace ampere {
namespace {

std::set<std::vector<std::int64_t>> fitted_at(const KindFit& fit) {
  std::set<std::vector<std::int64_t>> places;
  for (Eigen::Index row = 0; row < fit.energy.x().rows(); ++row) {
    std::vector<std::int64_t> features;
    for (const double feature : fit.energy.x().row(row)) features.push_back(std::llround(feature));
    places.insert(std::move(features));
  }
  return places;
}

std::shared_ptr<const BlockKind> kind_of(const Observation& test, const KindFit& fit) {
  if (auto kind = kind_within(test.model, fit.kind)) return kind;
  throw Error(
      ErrorCode::failed,
      fmt::format("an observation stored as a test of '{}' does not contain it", fit.title));
}

std::vector<TestPoint> points_of(std::vector<Observation> tests, const BlockKind& kind,
                                 const KindFit& fit, const Fits& fits) {
  const KindData data = isolate(kind, tests, fits);
  std::vector<TestPoint> points;
  for (Eigen::Index row = 0; row < data.x.rows(); ++row) {
    Observation& test = tests[static_cast<std::size_t>(row)];
    const Eigen::VectorXd at = data.x.row(row);
    points.push_back(
        {std::move(test.features), data.energy[row], std::sqrt(data.energy_noise_variance[row]),
         data.time[row], std::sqrt(data.time_noise_variance[row]), fit.energy.predict(at),
         fit.time.predict(at), std::move(*test.measurement), std::move(test.taken_at)});
  }
  return points;
}

std::optional<double> difference(double estimated, double observed) {
  if (!(observed > 0)) return std::nullopt;
  return estimated / observed - 1;
}

}  // namespace

std::optional<double> energy_difference(const TestPoint& point) {
  return difference(point.estimated_j.mean, point.energy_j);
}

std::optional<double> time_difference(const TestPoint& point) {
  return difference(point.estimated_s.mean, point.time_s);
}

KindTests kind_tests(const Store& store, std::int64_t profile, const Fits& fits,
                     const std::string& kind, std::optional<std::int64_t> most) {
  const KindFit& fit = fits.at(kind);
  if (most) ++*most;
  std::vector<Observation> found =
      store.find({.profile = profile, .purpose = Purpose::test, .kind = kind, .most = most});
  KindTests tests;
  tests.more = most && std::cmp_equal(found.size(), *most);
  if (tests.more) found.pop_back();
  if (found.empty()) return tests;

  const auto own = kind_of(found.front(), fit);
  tests.failed = static_cast<int>(
      std::erase_if(found, [](const Observation& test) { return !test.measurement; }));
  const auto fitted = fitted_at(fit);
  std::erase_if(found, [&](const Observation& test) {
    return fitted.contains(test.features) || !can_isolate(*own, test, fits);
  });
  tests.points = points_of(std::move(found), *own, fit, fits);
  return tests;
}

std::optional<KindScore> score_tests(const KindTests& tests) {
  std::vector<double> energy, time;
  const TestPoint* worst = nullptr;
  for (const TestPoint& point : tests.points) {
    if (const auto off = time_difference(point)) time.push_back(std::abs(*off));
    const auto off = energy_difference(point);
    if (!off) continue;
    if (energy.empty() || std::abs(*off) > std::ranges::max(energy)) worst = &point;
    energy.push_back(std::abs(*off));
  }
  if (worst == nullptr) return std::nullopt;
  KindScore score{static_cast<int>(energy.size()), mean(energy), std::nullopt, *worst};
  if (!time.empty()) score.time_mape = mean(time);
  return score;
}

}  // namespace ampere
