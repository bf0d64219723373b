#include <cmath>

#include "ampere/error.h"
#include "ampere/estimate.h"

namespace ampere {

Interval point(double mean) { return {mean, mean, mean, 0}; }

Accuracy accuracy(std::span<const Interval> predicted, std::span<const double> measured) {
  if (measured.empty() || predicted.size() != measured.size())
    throw Error(ErrorCode::failed,
                "accuracy needs one measured value for each prediction, and at least one");
  const auto n = static_cast<double>(measured.size());
  Accuracy result;
  double inside = 0, stated = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double relative = (predicted[i].mean - measured[i]) / measured[i];
    result.mape += std::abs(relative) / n;
    result.bias += relative / n;
    result.rmspe += relative * relative / n;
    result.within_5 += std::abs(relative) <= 0.05 ? 1 / n : 0;
    result.within_10 += std::abs(relative) <= 0.10 ? 1 / n : 0;
    result.within_15 += std::abs(relative) <= 0.15 ? 1 / n : 0;
    if (predicted[i].confidence == 0) continue;
    stated += 1;
    inside += predicted[i].low <= measured[i] && measured[i] <= predicted[i].high ? 1 : 0;
  }
  result.rmspe = std::sqrt(result.rmspe);
  if (stated > 0) result.coverage = inside / stated;
  return result;
}

}  // namespace ampere
