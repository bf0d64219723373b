#include <algorithm>
#include <cmath>
#include <functional>

#include "ampere/evaluate.h"
#include "base/stats.h"
#include "method/host_speed.h"

namespace ampere {
namespace {

struct Pair {
  double first, second;
  double mean() const { return (first + second) / 2; }
};

// What a round of measuring says of a network; nothing where it does not.
using NetworkValue =
    std::function<std::optional<double>(const EvaluatedNetwork&, std::size_t round)>;

NetworkValue value_of(Quantity Measurement::*statistic) {
  return [statistic](const EvaluatedNetwork& network, std::size_t round) {
    return std::optional((network.measurements[round].*statistic).mean);
  };
}

NetworkValue steady_energy(const SteadyHost& host) {
  return [&host](const EvaluatedNetwork& network, std::size_t round) -> std::optional<double> {
    const Measurement& measurement = network.measurements[round];
    if (round >= network.paces.size()) return std::nullopt;
    const std::optional<Pace>& pace = network.paces[round];
    if (!pace || !has_times(*pace)) return std::nullopt;
    return steady_cost(measurement, *pace, network.device_s, host.reference_s, host.ready_w)
        .energy_j;
  };
}

std::optional<Pair> measured_twice(const EvaluatedNetwork& network, const NetworkValue& value) {
  if (network.measurements.size() < 2) return std::nullopt;
  const auto first = value(network, 0), second = value(network, 1);
  if (!first || !second) return std::nullopt;
  return Pair{*first, *second};
}

std::optional<double> repeat_noise(const Evaluation& evaluation, const NetworkValue& value) {
  std::vector<double> differences;
  for (const EvaluatedNetwork& network : evaluation.networks)
    if (const auto pair = measured_twice(network, value))
      differences.push_back(std::abs(pair->second - pair->first) / pair->first);
  if (differences.empty()) return std::nullopt;
  return mean(differences);
}

struct Compared {
  std::optional<Accuracy> accuracy;
  int networks = 0;
};

using Estimated = std::function<std::optional<Interval>(const EvaluatedNetwork&)>;

Estimated by(const std::string& method, std::optional<Interval> NetworkEstimate::*estimate) {
  return [&method, estimate](const EvaluatedNetwork& network) -> std::optional<Interval> {
    const auto found = network.estimates.find(method);
    return found == network.estimates.end() ? std::nullopt : found->second.*estimate;
  };
}

// The mean of those made before each of the two measurements.
std::optional<Interval> made_at_hand(const EvaluatedNetwork& network,
                                     std::optional<Interval> NetworkEstimate::*estimate) {
  if (network.at_hand.size() < 2 || !network.at_hand[0] || !network.at_hand[1]) return std::nullopt;
  const auto &first = (*network.at_hand[0]).*estimate, &second = (*network.at_hand[1]).*estimate;
  if (!first || !second) return std::nullopt;
  return Interval{(first->mean + second->mean) / 2, (first->low + second->low) / 2,
                  (first->high + second->high) / 2,
                  std::min(first->confidence, second->confidence)};
}

Estimated at_hand(std::optional<Interval> NetworkEstimate::*estimate) {
  return [estimate](const EvaluatedNetwork& network) { return made_at_hand(network, estimate); };
}

Compared compare(const Evaluation& evaluation, const NetworkValue& value,
                 const Estimated& estimated) {
  std::vector<Interval> predicted;
  std::vector<double> measured;
  for (const EvaluatedNetwork& network : evaluation.networks) {
    const auto estimate = estimated(network);
    const auto pair = measured_twice(network, value);
    if (!estimate || !pair) continue;
    predicted.push_back(*estimate);
    measured.push_back(pair->mean());
  }
  if (measured.empty()) return {};
  return {accuracy(predicted, measured), static_cast<int>(measured.size())};
}

std::optional<double> host_drift(const Evaluation& evaluation) {
  std::vector<double> times;
  for (const EvaluatedNetwork& network : evaluation.networks)
    for (const std::optional<Pace>& pace : network.paces)
      if (pace && has_times(*pace)) times.push_back(pace->reference_s);
  if (!evaluation.steady || times.empty()) return std::nullopt;
  return mean(times) / evaluation.steady->reference_s - 1;
}

}  // namespace

Scores score(const Evaluation& evaluation) {
  const NetworkValue energy_j = value_of(&Measurement::energy_j),
                     time_s = value_of(&Measurement::time_s);
  Scores scores;
  scores.energy_repeat_noise = repeat_noise(evaluation, energy_j);
  scores.time_repeat_noise = repeat_noise(evaluation, time_s);
  scores.host_drift = host_drift(evaluation);
  if (evaluation.steady)
    scores.steady_repeat_noise = repeat_noise(evaluation, steady_energy(*evaluation.steady));
  for (const MethodRecord& method : evaluation.methods) {
    const Estimated energies = by(method.name, &NetworkEstimate::energy_j);
    const Compared energy = compare(evaluation, energy_j, energies);
    MethodScore& of = scores.methods[method.name];
    of.energy = energy.accuracy;
    of.compared = energy.networks;
    of.time = compare(evaluation, time_s, by(method.name, &NetworkEstimate::time_s)).accuracy;
    if (evaluation.steady)
      of.steady = compare(evaluation, steady_energy(*evaluation.steady), energies).accuracy;
    if (method.name != at_hand_method(evaluation.setup.phase)) continue;
    of.at_hand = compare(evaluation, energy_j, at_hand(&NetworkEstimate::energy_j)).accuracy;
    of.at_hand_time = compare(evaluation, time_s, at_hand(&NetworkEstimate::time_s)).accuracy;
  }
  return scores;
}

}  // namespace ampere
