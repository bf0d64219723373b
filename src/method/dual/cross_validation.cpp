#include "method/dual/cross_validation.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include "base/stats.h"

namespace ampere {
namespace {

constexpr std::size_t kFolds = 10;
constexpr double kCalibratedAt = 0.9;
constexpr double kLeastInflation = 0.5, kMostInflation = 20;

using Networks = std::vector<const MeasuredNetwork*>;

struct Misses {
  std::vector<double> energy_errors, time_errors;  // relative
  std::vector<double> energy_z, time_z;            // in standard deviations, with their sign

  void add(const DualPrediction& predicted, const MeasuredNetwork& network) {
    const double energy = predicted.energy_j - network.energy_j;
    const double time = predicted.time.time_s - network.time_s;
    energy_errors.push_back(std::abs(energy) / network.energy_j);
    time_errors.push_back(std::abs(time) / network.time_s);
    energy_z.push_back(energy / predicted.energy_sd);
    time_z.push_back(time / predicted.time.time_sd);
  }
};

// Of networks: by the usual host, and by the host as it was just before each.
struct Predicted {
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
    for (const BlockTerms& block : network->network.blocks) blocks.insert(key_of(block));
  return blocks;
}

// A plan times the blocks of the networks that it measures, and hardly one of a network that is
// asked for later. So a network is left out with its blocks: but for those that other networks have
// as well, they are what the maps would say of them. How far the laws alone are off is seen from
// networks whose blocks stay.
struct CrossValidated {
  Predicted untimed, timed;
};

// The times of a network's blocks as if those that no seen network has had not been timed.
MappedNetwork mapped_untimed(const NetworkTerms& blocks, const TimeMaps& maps,
                             const UntimedBlocks& untimed, const std::set<BlockKey>& known) {
  return map_network(blocks, [&](const BlockTerms& block) {
    const TimeMap& map = maps.at(block.kind);
    BlockTime time = map(block.features);
    const auto& of_kind = untimed.at(block.kind);
    const auto found = of_kind.find(block.features);
    if (found == of_kind.end() || known.contains(key_of(block))) return time;
    time.device_s = found->second;
    time.device_error = map.parts().device_error;
    return time;
  });
}

// Every measurement of a network falls into one fold. The hyper-parameters of the process stay.
CrossValidated cross_validate(const DualModel& model, const Fitted& fitted) {
  CrossValidated left;
  const std::vector<MeasuredNetwork>& networks = fitted.networks;
  const std::size_t folds = std::min(kFolds, std::ranges::max(fitted.identity) + 1);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Networks seen, unseen;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      const bool out = fitted.identity[i] % folds == fold && !networks[i].at_round_widths;
      (out ? unseen : seen).push_back(&networks[i]);
    }
    if (unseen.empty() || seen.empty()) continue;
    DualModel without;
    without.time.synchronous = model.time.synchronous;
    fit_laws(without, seen, fitted.idle, model.energy.process);
    const std::set<BlockKey> known = blocks_of(seen);
    for (const MeasuredNetwork* network : unseen) {
      left.timed.add(without, network->network, *network);
      left.untimed.add(without,
                       mapped_untimed(network->network.blocks, fitted.maps, fitted.untimed, known),
                       *network);
    }
  }
  return left;
}

// The factor with which the stated interval would have held the share it states of what was left
// out; the share of n + 1, since the next network is one more.
double inflation_of(std::vector<double> z) {
  if (z.empty()) return 1;  // all are at round widths: holding_round() has seen them
  for (double& each : z) each = std::abs(each);
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

// Four views of one factor, each from few networks: their mean (of the logarithms) scatters less
// than any of them. The largest would be the one that chance made too large.
Inflation usual_of(std::initializer_list<Inflation> views) {
  Inflation mean;
  for (const Inflation& view : views) {
    mean.energy *= std::pow(view.energy, 1.0 / static_cast<double>(views.size()));
    mean.time *= std::pow(view.time, 1.0 / static_cast<double>(views.size()));
  }
  return mean;
}

// What holds the networks at round widths, which are never left out: those that will be asked for
// must at least be inside what the model says of them with their own measurement known. By the
// usual host that holds for each of them. At hand it holds for what they have in common: laws that
// miss round networks miss them alike, and a single one may be outside by chance.
struct HoldingRound {
  Inflation beforehand, at_hand;
};

template <class Size>
Inflation holding(const Misses& round, const Size& size) {
  if (round.energy_z.empty()) return {kLeastInflation, kLeastInflation};
  const double stated = normal_quantile((1 + kCalibratedAt) / 2);
  const auto factor = [&](const std::vector<double>& z) {
    return std::clamp(size(z) / stated, kLeastInflation, kMostInflation);
  };
  return {factor(round.energy_z), factor(round.time_z)};
}

double largest_of(const std::vector<double>& z) {
  const auto [least, most] = std::ranges::minmax(z);
  return std::max(-least, most);
}

double common_to(const std::vector<double>& z) { return std::abs(mean(z)); }

HoldingRound holding_round(const DualModel& model, const std::vector<MeasuredNetwork>& networks) {
  Predicted round;
  for (const MeasuredNetwork& network : networks)
    if (network.at_round_widths) round.add(model, network.network, network);
  return {holding(round.beforehand, largest_of), holding(round.at_hand, common_to)};
}

Inflation larger(const Inflation& one, const Inflation& other) {
  return {std::max(one.energy, other.energy), std::max(one.time, other.time)};
}

}  // namespace

void fit_laws(DualModel& model, const Networks& networks, const std::optional<Window>& idle,
              const std::optional<PowerProcess>& process) {
  const bool synchronous = model.time.synchronous;
  model.time = fit_time_law(networks, synchronous);
  model.energy = fit_energy_law(networks, synchronous, idle, process);
}

void calibrate(DualModel& model, const Fitted& fitted) {
  const CrossValidated left = cross_validate(model, fitted);
  const Predicted &untimed = left.untimed, &timed = left.timed;
  const HoldingRound round = holding_round(model, fitted.networks);
  model.check = {static_cast<int>(fitted.networks.size()), mean(untimed.beforehand.energy_errors),
                 mean(untimed.beforehand.time_errors)};
  model.inflation = larger(larger(inflation_of(untimed.beforehand), inflation_of(timed.beforehand)),
                           round.beforehand);
  // A host that was just looked at may still move as it did all the while it was profiled, so the
  // estimates by the usual host count here as well.
  model.at_hand = larger(usual_of({inflation_of(untimed.beforehand), inflation_of(timed.beforehand),
                                   inflation_of(untimed.at_hand), inflation_of(timed.at_hand)}),
                         round.at_hand);
}

}  // namespace ampere
