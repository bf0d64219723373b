#include "estimate/lean.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "estimate/interval.h"

namespace ampere {
namespace {

constexpr double kLeastChance = 1e-4;  // no two runs are known to be more alike than that

struct Leaned {
  Quantity quantity;
  double ratio = 1;  // to what it was
};

// In logarithms: the next run is the estimate + b + chance, where b is the network's own error.
// Each run has shown b + chance + the error of its measurement; what is known of b after them is
// the usual posterior of normal quantities.
Leaned lean(const Quantity& estimated, std::span<const Quantity> runs, double between_runs) {
  const double chance = std::pow(std::max(between_runs, kLeastChance), 2);
  const double own = std::pow(assumed_error(estimated) / estimated.mean, 2) - chance;
  if (!(own > 0)) return {estimated};
  double precision = 1 / own, shown = 0;
  for (const Quantity& run : runs) {
    const double certainty = 1 / (chance + std::pow(assumed_error(run) / run.mean, 2));
    precision += certainty;
    shown += certainty * std::log(run.mean / estimated.mean);
  }
  const double ratio = std::exp(shown / precision);
  const double mean = ratio * estimated.mean;
  return {{mean, mean * std::sqrt(1 / precision + chance)}, ratio};
}

void scale(std::optional<Quantity>& quantity, const Leaned& whole, const Quantity& before) {
  if (!quantity) return;
  const double spread = assumed_error(whole.quantity) / assumed_error(before);
  quantity = {whole.ratio * quantity->mean, spread * assumed_error(*quantity)};
}

}  // namespace

void lean_on(std::span<const Measurement> runs, const Workload& workload, Estimate& estimate) {
  if (!estimate.between_runs || !estimate.energy_j_per_iteration || !estimate.time_s_per_iteration)
    return;
  const Quantity energy = *estimate.energy_j_per_iteration, time = *estimate.time_s_per_iteration;
  std::vector<Quantity> energies, times;
  for (const Measurement& run : runs) {
    if (!(run.energy_j.mean > 0 && run.time_s.mean > 0)) continue;
    energies.push_back(run.energy_j);
    times.push_back(run.time_s);
  }
  if (energies.empty()) return;
  const Leaned leaned_energy = lean(energy, energies, estimate.between_runs->energy);
  const Leaned leaned_time = lean(time, times, estimate.between_runs->time);
  for (Part& part : estimate.parts) {
    scale(part.energy_j, leaned_energy, energy);
    scale(part.time_s, leaned_time, time);
  }
  set_totals(leaned_energy.quantity, leaned_time.quantity, workload, estimate);
  estimate.earlier_runs = static_cast<int>(energies.size());
}

}  // namespace ampere
