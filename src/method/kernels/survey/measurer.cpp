#include "method/kernels/survey/measurer.h"

#include <algorithm>
#include <cmath>

#include "base/interrupt.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

Statistic over(std::span<const Observation> observations, Statistic Measurement::*quantity) {
  std::vector<double> means;
  double squares = 0;
  for (const Observation& observation : observations) {
    if (!observation.measurement) continue;
    const Statistic& statistic = (*observation.measurement).*quantity;
    means.push_back(statistic.mean);
    squares += statistic.standard_error * statistic.standard_error;
  }
  const double within = std::sqrt(squares) / static_cast<double>(means.size());
  return {mean(means), std::max(within, standard_error(means))};
}

}  // namespace

Model empty_network() {
  ModelBuilder nothing("nothing");
  nothing.add(Input{image(1, 1, 1), true}, std::initializer_list<int>{});
  nothing.add(Flatten{});
  return std::move(nothing).build();
}

std::optional<RunCost> run_cost_of(std::span<const Observation> observations) {
  if (std::ranges::none_of(observations, [](const auto& o) { return o.measurement.has_value(); }))
    return std::nullopt;
  return RunCost{over(observations, &Measurement::energy_j),
                 over(observations, &Measurement::time_s)};
}

Measurer::Measurer(Rig& rig, Store& store, std::int64_t profile, const Setup& setup,
                   std::optional<Seconds> time_limit)
    : rig_(rig),
      store_(store),
      profile_(profile),
      setup_(setup),
      time_limit_(time_limit),
      start_(steady_now()) {}

Seconds Measurer::elapsed() const { return steady_now() - start_; }

bool Measurer::out_of_time() {
  stopped |= time_limit_ && elapsed() >= *time_limit_;
  return stopped;
}

std::vector<Observation> Measurer::get(const Wanted& wanted, const Precision& precision) {
  const auto& [model, purpose, kind, count] = wanted;
  std::vector<Observation> found = store_.find(
      {.profile = profile_, .purpose = purpose, .kind = kind, .model_hash = model_hash(model)});
  if (found.size() > count) found.resize(count);
  tally.known += static_cast<int>(found.size());
  while (found.size() < count && !out_of_time()) {
    stop_if_interrupted();
    if (!rig_.can_measure(model, setup_)) {
      ++tally.skipped;
      break;
    }
    const Seconds before = steady_now();
    Observation observation = observe(rig_, model, setup_, precision);
    observation.purpose = purpose;
    observation.kind = kind;
    store_.add(profile_, observation);
    measuring += steady_now() - before;
    ++(observation.measurement ? tally.measured : tally.failed);
    found.push_back(std::move(observation));
  }
  return found;
}

}  // namespace ampere
