#include <cmath>

#include "ampere/error.h"
#include "ampere/estimate.h"
#include "ampere/widths.h"

namespace ampere {

std::unique_ptr<WidthJudge> Estimator::judge(const Model&) const {
  throw Error(ErrorCode::usage, "this method cannot guide a search; dual, ampere, operations and flops can");
}

std::string Estimator::what_if(const Model&) const {
  throw Error(ErrorCode::usage, "this method is not recomputed in a page; dual and ampere are");
}

std::optional<CostDifference> Estimator::difference(const Model& before, const Model& after) const {
  const Estimate a = estimate(before, {}), b = estimate(after, {});
  if (!a.energy_j_per_iteration || !b.energy_j_per_iteration) return std::nullopt;
  const auto less = [](const Quantity& more, const Quantity& minus) {
    return Quantity{more.mean - minus.mean, std::hypot(assumed_error(more), assumed_error(minus))};
  };
  return CostDifference{less(*b.energy_j_per_iteration, *a.energy_j_per_iteration),
                        less(*b.time_s_per_iteration, *a.time_s_per_iteration)};
}

std::unique_ptr<Estimator> Estimator::on_host(double) const { return nullptr; }

}  // namespace ampere
