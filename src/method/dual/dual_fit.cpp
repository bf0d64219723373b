#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

using Features = std::vector<std::int64_t>;
using UntimedBlocks = std::map<std::string, std::map<Features, double>>;  // device_s by kind

struct FittedMaps {
  TimeMaps maps;
  UntimedBlocks untimed;
};

FittedMaps fit_maps(const DualData& data) {
  FittedMaps fitted;
  for (const auto& [kind, points] : data.timings) {
    TimeMap::Validated validated = TimeMap::fit_validated(points, taps_of(kind, data));
    fitted.maps.emplace(kind, std::move(validated.map));
    fitted.untimed.emplace(kind, std::move(validated.untimed));
  }
  return fitted;
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

  void add(const DualModel& model, const MappedNetwork& mapped, const MeasuredNetwork& measured) {
    beforehand.add(predict(model, mapped), measured);
    DualModel slowed = model;
    slowed.time.slow_host(measured.slowdown);
    at_hand.add(predict(slowed, mapped), measured);
  }
};

std::set<BlockKey> blocks_of(const Networks& networks) {
  std::set<BlockKey> blocks;
  for (const MeasuredNetwork* network : networks)
    for (const BlockTerms& block : network->network.blocks)
      blocks.insert({block.kind, block.features});
  return blocks;
}

// One number per network, the same for those that are made of the same blocks.
std::vector<std::size_t> identities(const std::vector<MeasuredNetwork>& networks) {
  std::map<std::vector<BlockKey>, std::size_t> numbers;
  std::vector<std::size_t> identities;
  for (const MeasuredNetwork& network : networks) {
    std::vector<BlockKey> blocks;
    for (const BlockTerms& block : network.network.blocks)
      blocks.push_back({block.kind, block.features});
    identities.push_back(numbers.emplace(std::move(blocks), numbers.size()).first->second);
  }
  return identities;
}

// A plan times the blocks of the networks that it measures, and hardly one of a network that is
// asked for later. So a network is left out with its blocks: but for those that other networks have
// as well, they are what the maps would say of them. How far the laws alone are off is seen from
// networks whose blocks stay.
struct CrossValidated {
  LeftOut untimed, timed;
};

// Every measurement of a network falls into one fold. The hyper-parameters of the process stay.
CrossValidated cross_validate(const DualModel& model, const std::vector<MeasuredNetwork>& networks,
                              const std::vector<std::size_t>& identity,
                              const UntimedBlocks& untimed, bool synchronous,
                              const std::optional<Window>& idle) {
  CrossValidated left;
  const std::size_t folds = std::min(kFolds, std::ranges::max(identity) + 1);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Networks seen, unseen;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      const bool out = identity[i] % folds == fold && !networks[i].at_round_widths;
      (out ? unseen : seen).push_back(&networks[i]);
    }
    if (unseen.empty() || seen.empty()) continue;
    DualModel without;
    fit_laws(without, seen, synchronous, idle, model.energy.process);
    const std::set<BlockKey> known = blocks_of(seen);
    const auto time_of = [&](const BlockTerms& block) {
      const TimeMap& map = model.maps.at(block.kind);
      BlockTime time = map(block.features);
      const auto& of_kind = untimed.at(block.kind);
      const auto found = of_kind.find(block.features);
      if (found == of_kind.end() || known.contains({block.kind, block.features})) return time;
      time.device_s = found->second;
      time.device_error = map.parts().device_error;
      return time;
    };
    for (const MeasuredNetwork* network : unseen) {
      left.timed.add(without, network->network, *network);
      left.untimed.add(without, map_network(network->network.blocks, time_of), *network);
    }
  }
  return left;
}

// The factor with which the stated interval would have held the share it states of what was left
// out; the share of n + 1, since the next network is one more.
double inflation_of(std::vector<double> z) {
  if (z.empty()) return 1;  // all are at round widths: holding_round() has seen them
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
  FittedMaps fitted = fit_maps(data);
  model.maps = std::move(fitted.maps);
  const std::vector<MeasuredNetwork> networks = mapped(data, model.maps);
  const std::vector<std::size_t> identity = identities(networks);
  const std::size_t different = networks.empty() ? 0 : std::ranges::max(identity) + 1;
  if (different < kLeastNetworks)
    throw Error(
        ErrorCode::unknown,
        fmt::format("{} different networks of {} that were measured are made of blocks that "
                    "were timed, and at least {} are needed",
                    different, data.networks.size(), kLeastNetworks));
  const bool synchronous = std::ranges::none_of(
      model.maps, [](const auto& entry) { return entry.second.parts().has_host; });
  Networks all;
  for (const MeasuredNetwork& network : networks) all.push_back(&network);
  fit_laws(model, all, synchronous, data.idle);

  const CrossValidated left =
      cross_validate(model, networks, identity, fitted.untimed, synchronous, data.idle);
  const LeftOut& as_asked = left.untimed;
  model.check = {static_cast<int>(networks.size()), mean(as_asked.beforehand.energy_errors),
                 mean(as_asked.beforehand.time_errors)};
  model.inflation =
      larger(larger(inflation_of(as_asked.beforehand), inflation_of(left.timed.beforehand)),
             holding_round(model, networks));
  model.at_hand = larger(model.inflation,
                         larger(inflation_of(as_asked.at_hand), inflation_of(left.timed.at_hand)));
  return model;
}

}  // namespace ampere
