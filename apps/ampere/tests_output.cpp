#include "tests_output.h"

#include <fmt/format.h>

#include "base/or_null.h"
#include "print.h"
#include "profile_options.h"

namespace ampere {
namespace {

Json worst_json(const TestedKind& kind) {
  if (!kind.worst_difference) return nullptr;
  Json features = Json::object();
  for (std::size_t i = 0; i < kind.worst.size(); ++i)
    features[kind.feature_names[i]] = kind.worst[i];
  return {{"features", std::move(features)}, {"relative_difference", *kind.worst_difference}};
}

Json kind_json(const TestedKind& kind) {
  return {{"kind", kind.title},
          {"role", to_string(kind.role)},
          {"points", kind.points},
          {"failed", kind.failed},
          {"compared", kind.compared},
          {"energy_mape", or_null(kind.energy_mape)},
          {"time_mape", or_null(kind.time_mape)},
          {"worst", worst_json(kind)}};
}

// Where the observation is not positive there is no share of it.
std::string mape_text(const TestedKind& kind) {
  if (!kind.energy_mape) return "–";
  return percent(*kind.energy_mape) +
         (kind.compared == kind.points ? "" : fmt::format(" of {}", kind.compared));
}

std::string worst_text(const TestedKind& kind) {
  if (!kind.worst_difference) return "–";
  return fmt::format("{}{} at {}", *kind.worst_difference < 0 ? "" : "+",
                     percent(*kind.worst_difference), feature_text(kind.feature_names, kind.worst));
}

}  // namespace

Json tests_json(const Session::Tests& tests) {
  Json kinds = Json::array();
  for (const TestedKind& kind : tests.kinds) kinds.push_back(kind_json(kind));
  return {{"measured", tests.summary.measured},
          {"failed", tests.summary.failed},
          {"seconds", tests.summary.elapsed.count()},
          {"stopped_by_time_limit", tests.summary.stopped_by_time_limit},
          {"kinds", std::move(kinds)}};
}

void print_tests(const Session::Tests& tests) {
  fmt::print("{} test points measured, {} failed, in {:.1f} s{}\n", tests.summary.measured,
             tests.summary.failed, tests.summary.elapsed.count(),
             limit_text(tests.summary.stopped_by_time_limit));
  std::vector<std::vector<std::string>> rows{{"tests", "failed", "MAPE", "worst", "role", "kind"}};
  for (const TestedKind& kind : tests.kinds)
    rows.push_back({std::to_string(kind.points), std::to_string(kind.failed), mape_text(kind),
                    worst_text(kind), to_string(kind.role), kind.title});
  print_table(rows);
}

}  // namespace ampere
