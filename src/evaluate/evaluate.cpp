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
#include "method/dual/dual_profile.h"

namespace ampere {
namespace {

constexpr std::size_t kRounds = 2;
constexpr Workload kOneIteration{1, kEvaluationConfidence};

std::optional<Predicted> predicted(const std::optional<Interval>& interval) {
  if (!interval) return std::nullopt;
  return Predicted{interval->mean, interval->low, interval->high};
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

// The host as the reference last saw it, in the order of the measurements.
class LatestHost {
 public:
  explicit LatestHost(const SteadyHost& usual)
      : usual_s_(usual.reference_s), times_(usual.latest_s) {}

  void see(const std::vector<std::optional<Pace>>& paces, std::size_t round) {
    if (round < paces.size() && paces[round] && has_times(*paces[round]))
      times_.push_back(paces[round]->reference_s);
  }
  double slowdown() const { return slowdown_by(times_, usual_s_); }

 private:
  double usual_s_;
  std::vector<double> times_;
};

}  // namespace

NetworkEstimate estimate_network(const Estimator& estimator, const Model& model) try {
  const Estimate estimate = estimator.estimate(model, kOneIteration);
  return {predicted(estimate.energy_j), predicted(estimate.time_s),
          estimate.uncovered.empty() ? "" : estimate.uncovered.front().reason};
} catch (const Error& error) {
  return {std::nullopt, std::nullopt, error.what()};
}

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
      network.estimates.emplace(method.name, estimate_network(*method.estimator, model));
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
                      const EstimateAtHand& at_hand,
                      const std::function<void(int done, int of)>& measured) {
  std::mt19937_64 random(evaluation.seed);
  std::optional<LatestHost> host;
  if (evaluation.steady && at_hand) host.emplace(*evaluation.steady);
  int done = 0;
  const auto all = static_cast<int>(kRounds * evaluation.networks.size());
  for (std::size_t round = 0; round < kRounds; ++round)
    for (const std::size_t i : shuffled(evaluation.networks.size(), random)) {
      EvaluatedNetwork& network = evaluation.networks[i];
      ++done;
      if (network.measurements.size() <= round && network.failure.empty()) {
        stop_if_interrupted();
        std::optional<NetworkEstimate> before;
        if (host) before = at_hand(network.model, host->slowdown());
        measure_once(network, evaluation, rig, precision);
        if (network.failure.empty()) network.at_hand.push_back(std::move(before));
        measured(done, all);
      }
      if (host) host->see(network.paces, round);
    }
}

}  // namespace ampere
