#include <cmath>

#include "ampere/evaluate.h"

namespace ampere {
namespace {

struct Pair {
  double first, second;
  double mean() const { return (first + second) / 2; }
};

std::optional<Pair> measured_twice(const EvaluatedNetwork& network,
                                   Statistic Measurement::*statistic) {
  if (network.measurements.size() < 2) return std::nullopt;
  return Pair{(network.measurements[0].*statistic).mean, (network.measurements[1].*statistic).mean};
}

std::optional<double> repeat_noise(const Evaluation& evaluation,
                                   Statistic Measurement::*statistic) {
  double sum = 0;
  int count = 0;
  for (const EvaluatedNetwork& network : evaluation.networks)
    if (const auto pair = measured_twice(network, statistic)) {
      sum += std::abs(pair->second - pair->first) / pair->first;
      ++count;
    }
  if (count == 0) return std::nullopt;
  return sum / count;
}

struct Compared {
  std::optional<Accuracy> accuracy;
  int networks = 0;
};

Compared compare(const Evaluation& evaluation, const std::string& method,
                 Statistic Measurement::*statistic,
                 std::optional<Predicted> NetworkEstimate::*estimate) {
  std::vector<Predicted> predicted;
  std::vector<double> measured;
  for (const EvaluatedNetwork& network : evaluation.networks) {
    const auto found = network.estimates.find(method);
    const auto pair = measured_twice(network, statistic);
    if (found == network.estimates.end() || !(found->second.*estimate) || !pair) continue;
    predicted.push_back(*(found->second.*estimate));
    measured.push_back(pair->mean());
  }
  if (measured.empty()) return {};
  return {accuracy(predicted, measured), static_cast<int>(measured.size())};
}

}  // namespace

Scores score(const Evaluation& evaluation) {
  Scores scores;
  scores.energy_repeat_noise = repeat_noise(evaluation, &Measurement::energy_j);
  scores.time_repeat_noise = repeat_noise(evaluation, &Measurement::time_s);
  for (const MethodRecord& method : evaluation.methods) {
    const Compared energy =
        compare(evaluation, method.name, &Measurement::energy_j, &NetworkEstimate::energy_j);
    const Compared time =
        compare(evaluation, method.name, &Measurement::time_s, &NetworkEstimate::time_s);
    scores.methods[method.name] = {energy.accuracy, time.accuracy, energy.networks};
  }
  return scores;
}

}  // namespace ampere
