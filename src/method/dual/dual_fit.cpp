#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/dual/dual_model.h"
#include "method/dual/reference_times.h"

namespace ampere {
namespace {

constexpr std::size_t kFolds = 10;
constexpr std::size_t kLeastNetworks = 4;
constexpr double kCalibratedAt = 0.9;
constexpr double kLeastInflation = 0.5, kMostInflation = 20;

using Networks = std::vector<const MeasuredNetwork*>;

std::int64_t taps_of(const std::string& kind, const DualData& data) {
  for (const NetworkRecord& network : data.networks)
    for (const BlockTerms& block : network.blocks)
      if (block.kind == kind) return block.taps;
  return 1;
}

TimeMaps fit_maps(const DualData& data) {
  TimeMaps maps;
  for (const auto& [kind, points] : data.timings)
    maps.emplace(kind, TimeMap::fit(points, taps_of(kind, data)));
  return maps;
}

std::vector<MeasuredNetwork> mapped(const DualData& data, const TimeMaps& maps) {
  ReferenceTimes all, before;
  for (const NetworkRecord& record : data.networks) all.add(record.pace);
  std::vector<MeasuredNetwork> networks;
  for (const NetworkRecord& record : data.networks) {
    double slowdown = 1, steady_s = record.time_s;
    if (record.pace && has_times(*record.pace)) {
      const double usual_s = all.usual_s(record.pace->reference);
      slowdown = slowdown_by(before.of(record.pace->reference), usual_s);
      steady_s = steady_time_s(*record.pace, usual_s, record.device_s);
      before.add(record.pace);
    }
    const bool covered = std::ranges::all_of(
        record.blocks, [&](const BlockTerms& block) { return maps.contains(block.kind); });
    if (covered && record.energy_j > 0 && record.time_s > 0)
      networks.push_back({map_network(record.blocks, maps), record.energy_j, record.time_s,
                          steady_s, slowdown, record.device_s, record.at_round_widths});
  }
  return networks;
}

void fit_laws(DualModel& model, const Networks& networks, bool synchronous,
              const std::optional<Window>& idle, const std::optional<PowerProcess>& process = {}) {
  model.time = fit_time_law(networks, synchronous);
  model.energy = fit_energy_law(networks, synchronous, idle, process);
}

struct Misses {
  std::vector<double> energy_errors, time_errors;  // relative
  std::vector<double> energy_z, time_z;            // in standard deviations

  void add(const DualPrediction& predicted, const MeasuredNetwork& network) {
    const double energy = std::abs(predicted.energy_j - network.energy_j);
    const double time = std::abs(predicted.time.time_s - network.time_s);
    energy_errors.push_back(energy / network.energy_j);
    time_errors.push_back(time / network.time_s);
    energy_z.push_back(energy / predicted.energy_sd);
    time_z.push_back(time / predicted.time.time_sd);
  }
};

// Of networks that were left out: by the usual host, and by the host as it was just before each.
struct LeftOut {
  Misses beforehand, at_hand;
};

// The maps stay, since a network's blocks were timed, if at all, by chance, and so do the
// hyper-parameters of the process.
LeftOut cross_validate(const DualModel& model, const std::vector<MeasuredNetwork>& networks,
                       bool synchronous, const std::optional<Window>& idle) {
  LeftOut left;
  const std::size_t folds = std::min(kFolds, networks.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Networks seen, unseen;
    for (std::size_t i = 0; i < networks.size(); ++i)
      (i % folds == fold && !networks[i].at_round_widths ? unseen : seen).push_back(&networks[i]);
    if (unseen.empty()) continue;
    DualModel without;
    fit_laws(without, seen, synchronous, idle, model.energy.process);
    for (const MeasuredNetwork* network : unseen) {
      left.beforehand.add(predict(without, network->network), *network);
      DualModel slowed = without;
      slowed.time.slow_host(network->slowdown);
      left.at_hand.add(predict(slowed, network->network), *network);
    }
  }
  return left;
}

// The factor with which the stated interval would have held the share it states of what was left
// out; the share of n + 1, since the next network is one more.
double inflation_of(std::vector<double> z) {
  std::ranges::sort(z);
  const auto count = static_cast<double>(z.size());
  const double position = std::min(kCalibratedAt * (count + 1) - 1, count - 1);
  const auto below = static_cast<std::size_t>(std::max(0.0, std::floor(position)));
  const auto above = std::min(below + 1, z.size() - 1);
  const double share = position - std::floor(position);
  const double quantile = (1 - share) * z[below] + share * z[above];
  return std::clamp(quantile / normal_quantile((1 + kCalibratedAt) / 2), kLeastInflation,
                    kMostInflation);
}

Inflation inflation_of(const Misses& misses) {
  return {inflation_of(misses.energy_z), inflation_of(misses.time_z)};
}

// What holds the networks at round widths, which are never left out: those that will be asked for
// must at least be inside what the model says of them with their own measurement known.
Inflation holding_round(const DualModel& model, const std::vector<MeasuredNetwork>& networks) {
  Misses round;
  for (const MeasuredNetwork& network : networks)
    if (network.at_round_widths) round.add(predict(model, network.network), network);
  if (round.energy_z.empty()) return {kLeastInflation, kLeastInflation};
  const double stated = normal_quantile((1 + kCalibratedAt) / 2);
  const auto holding = [&](const std::vector<double>& z) {
    return std::clamp(std::ranges::max(z) / stated, kLeastInflation, kMostInflation);
  };
  return {holding(round.energy_z), holding(round.time_z)};
}

// A host that was just looked at may still move as it did all the while it was profiled.
Inflation larger(const Inflation& one, const Inflation& other) {
  return {std::max(one.energy, other.energy), std::max(one.time, other.time)};
}

}  // namespace

DualModel fit_dual(const DualData& data) {
  DualModel model;
  model.source = data.source;
  model.maps = fit_maps(data);
  const std::vector<MeasuredNetwork> networks = mapped(data, model.maps);
  if (networks.size() < kLeastNetworks)
    throw Error(ErrorCode::unknown,
                fmt::format("{} of {} measured networks are made of blocks that were timed, and at "
                            "least {} are needed",
                            networks.size(), data.networks.size(), kLeastNetworks));
  const bool synchronous = std::ranges::none_of(
      model.maps, [](const auto& entry) { return entry.second.parts().has_host; });
  Networks all;
  for (const MeasuredNetwork& network : networks) all.push_back(&network);
  fit_laws(model, all, synchronous, data.idle);

  const LeftOut left = cross_validate(model, networks, synchronous, data.idle);
  model.check = {static_cast<int>(networks.size()), mean(left.beforehand.energy_errors),
                 mean(left.beforehand.time_errors)};
  model.inflation = larger(inflation_of(left.beforehand), holding_round(model, networks));
  model.at_hand = larger(model.inflation, inflation_of(left.at_hand));
  return model;
}

}  // namespace ampere
