#include <cmath>

#include "ampere/decide.h"

namespace ampere {
namespace {

// A measured cost of the whole workload; an unknown error counts as none, for then a single window
// was all there is.
struct Cost {
  double mean = 0, error = 0;
};

Cost cost_of(const CheckedAlternative& each, const Alternative& alternative, Wish wish) {
  const Quantity& one = wish == Wish::energy ? each.measured->energy_j : each.measured->time_s;
  const auto iterations = static_cast<double>(alternative.workload.iterations);
  return {one.mean * iterations, one.stddev.value_or(0) * iterations};
}

}  // namespace

std::optional<bool> OrderCheck::held() const {
  if (pairs_held + pairs_turned + pairs_close == 0) return std::nullopt;
  return pairs_turned == 0;
}

void judge(OrderCheck& order, const Choices& choices, Wish wish) {
  constexpr double kStandardErrors = 2;
  order.pairs_held = order.pairs_turned = order.pairs_close = 0;
  double least = INFINITY;
  std::vector<Cost> costs;  // in the predicted order
  for (const CheckedAlternative& each : order.checked) {
    if (!each.measured) continue;
    costs.push_back(cost_of(each, choices.alternatives[each.alternative], wish));
    if (costs.back().mean < least) {
      least = costs.back().mean;
      order.measured_best = each.alternative;
    }
  }
  for (std::size_t i = 0; i < costs.size(); ++i)
    for (std::size_t j = i + 1; j < costs.size(); ++j) {
      const double difference = costs[j].mean - costs[i].mean;
      if (std::abs(difference) <= kStandardErrors * std::hypot(costs[i].error, costs[j].error))
        ++order.pairs_close;
      else
        ++(difference > 0 ? order.pairs_held : order.pairs_turned);
    }
}

}  // namespace ampere
