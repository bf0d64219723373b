#include "tests_output.h"

#include <fmt/format.h>

#include <utility>

#include "base/or_null.h"
#include "method/ampere/fit.h"
#include "print.h"
#include "profiling.h"

namespace ampere {
namespace {

Json worst_json(const TestedKind& kind, const TestPoint& worst) {
  Json features = Json::object();
  for (std::size_t i = 0; i < worst.features.size(); ++i)
    features[kind.feature_names[i]] = worst.features[i];
  return {{"features", std::move(features)},
          {"relative_difference", or_null(energy_difference(worst))}};
}

Json kind_json(const TestedKind& kind) {
  const auto score = score_tests(kind.tests);
  return {{"kind", kind.title},
          {"role", to_string(kind.role)},
          {"points", kind.tests.points.size()},
          {"failed", kind.tests.failed},
          {"compared", score ? score->compared : 0},
          {"energy_mape", score ? Json(score->energy_mape) : Json(nullptr)},
          {"time_mape", score ? or_null(score->time_mape) : Json(nullptr)},
          {"worst", score ? worst_json(kind, score->worst) : Json(nullptr)}};
}

// A point whose observation is not positive has no relative error and is not compared.
std::string mape_text(const TestedKind& kind, const KindScore& score) {
  const bool all = std::cmp_equal(score.compared, kind.tests.points.size());
  return percent(score.energy_mape) + (all ? "" : fmt::format(" of {}", score.compared));
}

std::string worst_text(const TestedKind& kind, const TestPoint& worst) {
  const double off = energy_difference(worst).value();
  return fmt::format("{}{} at {}", off < 0 ? "" : "+", percent(off),
                     feature_text(kind.feature_names, worst.features));
}

}  // namespace

std::vector<TestedKind> tested_kinds(std::span<const PlannedKind> plan, const Store& store,
                                     std::int64_t profile) {
  std::vector<TestedKind> kinds;
  const Fits fits = read_fits(store.fits(profile));
  for (const PlannedKind& planned : plan)
    if (fits.contains(planned.kind->key))
      kinds.push_back({planned.kind->title, planned.kind->role,
                       feature_names(planned.kind->features),
                       kind_tests(store, profile, fits, planned.kind->key)});
  return kinds;
}

Json tests_json(const ProfileSummary& summary, std::span<const TestedKind> kinds) {
  Json list = Json::array();
  for (const TestedKind& kind : kinds) list.push_back(kind_json(kind));
  return {{"measured", summary.measured},
          {"failed", summary.failed},
          {"seconds", summary.elapsed.count()},
          {"stopped_by_time_limit", summary.stopped_by_time_limit},
          {"kinds", std::move(list)}};
}

void print_tests(const ProfileSummary& summary, std::span<const TestedKind> kinds) {
  fmt::print("{} test points measured, {} failed, in {:.1f} s{}\n", summary.measured,
             summary.failed, summary.elapsed.count(), limit_text(summary.stopped_by_time_limit));
  std::vector<std::vector<std::string>> rows{{"tests", "failed", "MAPE", "worst", "role", "kind"}};
  for (const TestedKind& kind : kinds) {
    const auto score = score_tests(kind.tests);
    rows.push_back({std::to_string(kind.tests.points.size()), std::to_string(kind.tests.failed),
                    score ? mape_text(kind, *score) : "–",
                    score ? worst_text(kind, score->worst) : "–", to_string(kind.role),
                    kind.title});
  }
  print_table(rows);
}

}  // namespace ampere
