#include "estimate/interval.h"

#include <algorithm>
#include <cmath>

#include "base/stats.h"

namespace ampere {
namespace {

const std::string kUnsteady =
    "the interval begins at 0: the machine was too unsteady while it was profiled, or too little "
    "was measured; profile it again while nothing else runs, in the steady way";

Interval interval(const Quantity& per_iteration, const Workload& workload) {
  const auto iterations = static_cast<double>(workload.iterations);
  return normal_interval(
      {per_iteration.mean * iterations, assumed_error(per_iteration) * iterations},
      workload.confidence);
}

}  // namespace

Interval normal_interval(const Quantity& quantity, double confidence) {
  const double reach = normal_quantile((1 + confidence) / 2) * assumed_error(quantity);
  return {quantity.mean, std::max(0.0, quantity.mean - reach), quantity.mean + reach, confidence};
}

void add_independent(Quantity& sum, const Quantity& term) {
  sum = {sum.mean + term.mean, std::hypot(assumed_error(sum), assumed_error(term))};
}

void set_totals(const Quantity& energy_per_iteration, const Quantity& time_per_iteration,
                const Workload& workload, Estimate& estimate) {
  estimate.energy_j_per_iteration = energy_per_iteration;
  estimate.time_s_per_iteration = time_per_iteration;
  estimate.energy_j = interval(energy_per_iteration, workload);
  estimate.time_s = interval(time_per_iteration, workload);
  estimate.unsteady = estimate.energy_j->low <= 0 || estimate.time_s->low <= 0;
  std::erase(estimate.warnings, kUnsteady);
  if (estimate.unsteady) estimate.warnings.push_back(kUnsteady);
}

}  // namespace ampere
