#include "ampere/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "ampere/observation.h"

namespace ampere {
namespace {

constexpr int kRounds = 2;

std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

void measure_once(EvaluatedNetwork& network, const Model& model, Rig& rig, const Setup& setup,
                  const Precision& precision) {
  Observation observation = observe(rig, model, setup, precision);
  if (observation.measurement)
    network.measurements.push_back(std::move(*observation.measurement));
  else
    network.failure = observation.failure;
}

struct Compared {
  Accuracy accuracy;
  double repeat_noise = 0;
};

// Against the mean of the two measurements; networks that failed or are not covered are left out
// here and stand in the list of networks with their reason.
Compared compare(const std::vector<EvaluatedNetwork>& networks, Statistic Measurement::*statistic,
                 std::optional<Interval> Estimate::*estimate) {
  std::vector<Predicted> predicted;
  std::vector<double> measured;
  double noise = 0;
  for (const EvaluatedNetwork& network : networks) {
    const std::optional<Interval>& interval = network.estimate.*estimate;
    if (!interval || network.measurements.size() != kRounds) continue;
    const double first = (network.measurements[0].*statistic).mean,
                 second = (network.measurements[1].*statistic).mean;
    predicted.push_back({interval->mean, interval->low, interval->high});
    measured.push_back((first + second) / 2);
    noise += std::abs(second - first) / first;
  }
  return {accuracy(predicted, measured), noise / static_cast<double>(measured.size())};
}

}  // namespace

Evaluation evaluate(std::span<const Model> networks, const Estimator& estimator, Rig& rig,
                    const Setup& setup, const Precision& precision, unsigned seed,
                    const std::function<void(int done, int of)>& progress) {
  Evaluation result;
  for (const Model& model : networks)
    result.networks.push_back({model.name(), estimator.estimate(model, {1, 0.9}), {}, {}});

  std::mt19937_64 random(seed);
  int done = 0;
  for (int round = 0; round < kRounds; ++round)
    for (const std::size_t i : shuffled(networks.size(), random)) {
      measure_once(result.networks[i], networks[i], rig, setup, precision);
      progress(++done, kRounds * static_cast<int>(networks.size()));
    }

  const Compared energy = compare(result.networks, &Measurement::energy_j, &Estimate::energy_j);
  const Compared time = compare(result.networks, &Measurement::time_s, &Estimate::time_s);
  result.energy = energy.accuracy;
  result.energy_repeat_noise = energy.repeat_noise;
  result.time = time.accuracy;
  result.time_repeat_noise = time.repeat_noise;
  return result;
}

}  // namespace ampere
