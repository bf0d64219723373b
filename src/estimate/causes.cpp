#include "estimate/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "ampere/error.h"
#include "base/stats.h"

namespace ampere {

double upper_j(const Judgement& cost, double confidence) {
  return cost.energy_j + normal_quantile(confidence) * cost.energy_sd;
}

std::vector<CostPart> cost_parts(const Estimate& estimate) {
  std::vector<CostPart> parts;
  for (const Part& part : estimate.parts)
    parts.push_back({part.title, part.count, part.energy_j.value().mean});
  std::ranges::stable_sort(parts, std::greater<>(), &CostPart::energy_j);
  return parts;
}

void require_covered(const Estimate& estimate, const Model& original) {
  if (estimate.uncovered.empty()) return;
  std::set<std::string> reasons;
  for (const Uncovered& uncovered : estimate.uncovered) reasons.insert(uncovered.reason);
  throw Error(ErrorCode::unknown,
              fmt::format("{} cannot be judged: {}; profile it first", original.name(),
                          fmt::join(reasons, ", ")),
              Remedy::profile);
}

}  // namespace ampere
