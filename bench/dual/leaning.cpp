#include "leaning.h"

#include <vector>

#include "ampere/error.h"
#include "base/stats.h"
#include "estimate/lean.h"
#include "method/dual/models.h"

namespace ampere {
namespace {

double mean_width(const std::vector<Interval>& intervals) {
  std::vector<double> widths;
  for (const Interval& each : intervals) widths.push_back((each.high - each.low) / each.mean);
  return mean(widths);
}

}  // namespace

Leaning leaning_of(const Replayed& replayed) {
  auto model = std::make_shared<DualModel>(fit_dual(replayed.data));
  model->setup = replayed.evaluation.setup;
  if (!model->between_runs) throw Error(ErrorCode::unknown, "no network was measured twice");
  const double scatter = model->between_runs->energy;
  const auto estimator = make_dual_estimator(std::move(model));
  std::vector<Interval> by_laws, leaning;
  std::vector<double> measured;
  for (const EvaluatedNetwork& network : replayed.evaluation.networks) {
    if (network.measurements.size() != 2) continue;
    Estimate estimate = estimator->estimate(network.model, {});
    by_laws.push_back(*estimate.energy_j);
    lean_on({network.measurements.data(), 1}, {}, estimate);
    leaning.push_back(*estimate.energy_j);
    measured.push_back(network.measurements.back().energy_j.mean);
  }
  return {scatter, accuracy(by_laws, measured), accuracy(leaning, measured), mean_width(by_laws),
          mean_width(leaning)};
}

}  // namespace ampere
