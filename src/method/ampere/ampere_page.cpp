#include "method/ampere/ampere_page.h"

#include <algorithm>
#include <cmath>

#include "base/or_null.h"
#include "method/ampere/curves.h"
#include "method/ampere/fit.h"
#include "method/ampere/kind_points.h"
#include "method/ampere/profile.h"
#include "method/ampere/test_points.h"

namespace ampere {
namespace {

constexpr std::size_t kMostPoints = 400;  // of a kind, and as many tests

// The measurements that the points came from: both are in the order they were taken, and some
// measurements became no point.
class Origins {
 public:
  explicit Origins(std::vector<Observation> observations)
      : observations_(std::move(observations)), next_(observations_.begin()) {}

  // Null when it is not among them.
  const Observation* of(const KindPoint& point) {
    const auto found = std::find_if(next_, observations_.end(), [&](const Observation& candidate) {
      return candidate.measurement && candidate.features == point.features;
    });
    if (found == observations_.end()) return nullptr;
    next_ = found + 1;
    return &*found;
  }

 private:
  std::vector<Observation> observations_;
  std::vector<Observation>::iterator next_;
};

Eigen::VectorXd row_of(const std::vector<std::int64_t>& features) {
  Eigen::VectorXd row(static_cast<Eigen::Index>(features.size()));
  std::ranges::copy(features, row.begin());
  return row;
}

Json point_json(const KindPoint& point, std::size_t order, const KindFit& fit,
                const Observation* origin, WindowShelf& windows) {
  const Eigen::VectorXd at = row_of(point.features);
  return {{"features", point.features},
          {"order", order},
          {"energy_j", point.energy_j},
          {"energy_sd", rounded(point.energy_sd)},
          {"time_s", point.time_s},
          {"time_sd", rounded(point.time_sd)},
          {"training_flops", point.training_flops},
          {"fitted_j", rounded(fit.energy.predict(at).mean)},
          {"fitted_s", rounded(fit.time.predict(at).mean)},
          {"taken_at", origin != nullptr ? Json(origin->taken_at) : Json(nullptr)},
          {"windows", origin != nullptr ? windows.add(*origin->measurement) : Json(nullptr)}};
}

Json prediction_json(const Quantity& prediction) {
  return {{"mean", rounded(prediction.mean)}, {"stddev", rounded(assumed_error(prediction))}};
}

Json test_json(const TestPoint& test, WindowShelf& windows) {
  return {{"features", test.features},
          {"energy_j", test.energy_j},
          {"energy_sd", rounded(test.energy_sd)},
          {"time_s", test.time_s},
          {"time_sd", rounded(test.time_sd)},
          {"estimated_j", prediction_json(test.estimated_j)},
          {"estimated_s", prediction_json(test.estimated_s)},
          {"relative_difference", or_null(energy_difference(test))},
          {"taken_at", test.taken_at},
          {"windows", windows.add(test.measurement)}};
}

void put_tests(const KindTests& tests, WindowShelf& windows, Json& json) {
  json["tests"] = Json::array();
  for (const TestPoint& test : tests.points) json["tests"].push_back(test_json(test, windows));
  json["tests_failed"] = tests.failed;
  json["more_tests"] = tests.more;
}

void put_fitted(const KindFit& fit, Json& json) {
  if (fit.features.empty()) {
    const Quantity constant = fit.energy.predict(Eigen::VectorXd(0));
    json["constant"] = {{"mean", constant.mean}, {"stddev", assumed_error(constant)}};
  } else if (fit.features.size() == 1) {
    json["curve"] = curve_json(fit);
    json["steps"] = steps_json(fit);
  } else {
    json["surface"] = surface_json(fit);
  }
  json["uncertainty"] = uncertainty_json(fit);
}

Json kind_json(const KindPoints& kind, const KindFit& fit, std::vector<Observation> observations,
               WindowShelf& windows) {
  Origins origins(std::move(observations));
  Json points = Json::array();
  const std::size_t shown = std::min(kind.points.size(), kMostPoints);
  for (std::size_t i = 0; i < shown; ++i)
    points.push_back(point_json(kind.points[i], i + 1, fit, origins.of(kind.points[i]), windows));
  Json json{{"kind", kind.title},
            {"title", kind.title},
            {"key", kind.kind},
            {"role", to_string(kind.role)},
            {"feature_names", kind.feature_names},
            {"source", to_string(fit.source)},
            {"points", std::move(points)},
            {"points_left_out", kind.points.size() - shown}};
  put_fitted(fit, json);
  return json;
}

}  // namespace

Json kinds_content(const Store& store, const ProfileRow& profile, WindowShelf& windows) {
  Json kinds = Json::array();
  const Fits fits = read_fits(store.fits(profile.id));
  if (fits.empty()) return kinds;
  constexpr auto most = static_cast<std::int64_t>(kMostPoints);
  for (const KindPoints& kind : kind_points(store, profile)) {
    kinds.push_back(kind_json(
        kind, fits.at(kind.kind),
        store.find(
            {.profile = profile.id, .purpose = Purpose::variant, .kind = kind.kind, .most = most}),
        windows));
    put_tests(kind_tests(store, profile.id, fits, kind.kind, most), windows, kinds.back());
  }
  return kinds;
}

}  // namespace ampere
