#include "ampere/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

#include "ampere/error.h"
#include "ampere/observation.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::size_t kRounds = 2;
constexpr Workload kOneIteration{1, kEvaluationConfidence};

std::optional<Predicted> predicted(const std::optional<Interval>& interval) {
  if (!interval) return std::nullopt;
  return Predicted{interval->mean, interval->low, interval->high};
}

NetworkEstimate estimate_by(const Method& method, const Model& model) try {
  const Estimate estimate = method.estimator->estimate(model, kOneIteration);
  return {predicted(estimate.energy_j), predicted(estimate.time_s),
          estimate.uncovered.empty() ? "" : estimate.uncovered.front().reason};
} catch (const Error& error) {
  return {std::nullopt, std::nullopt, error.what()};
}

std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

void measure_once(EvaluatedNetwork& network, const Evaluation& evaluation, Rig& rig,
                  const Precision& precision) {
  const Model* reference = evaluation.steady ? &evaluation.steady->reference : nullptr;
  Observation observation =
      reference != nullptr
          ? observe_with_times(rig, network.model, reference, evaluation.setup, precision)
          : observe(rig, network.model, evaluation.setup, precision);
  if (!observation.measurement) {
    network.failure = observation.failure;
    return;
  }
  network.measurements.push_back(std::move(*observation.measurement));
  network.paces.push_back(std::move(observation.pace));
  if (observation.timing) network.device_s = observation.timing->device_s;
}

}  // namespace

Evaluation begin_evaluation(std::string family, const DeviceInfo& device, const Setup& setup,
                            unsigned seed, std::span<const Model> networks,
                            std::span<const Method> methods) {
  Evaluation evaluation{std::move(family), device, setup, seed, utc_now(), {}, {}, {}, {}};
  for (const Method& method : methods)
    evaluation.methods.push_back({method.name, method.points, method.seconds});
  for (const Model& model : networks) {
    EvaluatedNetwork& network = evaluation.networks.emplace_back();
    network.model = model;
    for (const Method& method : methods)
      network.estimates.emplace(method.name, estimate_by(method, model));
  }
  return evaluation;
}

Evaluation pool(std::span<const Evaluation> evaluations) {
  Evaluation all;
  for (const Evaluation& evaluation : evaluations) {
    if (all.networks.empty()) {
      all = evaluation;
      all.steady.reset();  // each profile has a pace of its own
      continue;
    }
    all.profile_seconds += evaluation.profile_seconds;
    for (const MethodRecord& method : evaluation.methods)
      if (std::ranges::find(all.methods, method.name, &MethodRecord::name) == all.methods.end())
        all.methods.push_back(method);
    std::ranges::copy(evaluation.networks, std::back_inserter(all.networks));
  }
  all.family = fmt::format("all {} families", evaluations.size());
  return all;
}

void measure_networks(Evaluation& evaluation, Rig& rig, const Precision& precision,
                      const std::function<void(int done, int of)>& measured) {
  std::mt19937_64 random(evaluation.seed);
  int done = 0;
  const auto all = static_cast<int>(kRounds * evaluation.networks.size());
  for (std::size_t round = 0; round < kRounds; ++round)
    for (const std::size_t i : shuffled(evaluation.networks.size(), random)) {
      EvaluatedNetwork& network = evaluation.networks[i];
      ++done;
      if (network.measurements.size() > round || !network.failure.empty()) continue;
      stop_if_interrupted();
      measure_once(network, evaluation, rig, precision);
      measured(done, all);
    }
}

}  // namespace ampere
