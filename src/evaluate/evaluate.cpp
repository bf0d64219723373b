#include "ampere/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

#include "ampere/error.h"
#include "evaluate/evaluation.h"

namespace ampere {
namespace {

constexpr std::size_t kRounds = 2;
constexpr Workload kOneIteration{1, kEvaluationConfidence};

std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
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

// Of two evaluations. Profiles have paces of their own; families at inference share a survey.
bool is_same_host(const std::optional<SteadyHost>& one, const std::optional<SteadyHost>& other) {
  return one && other && model_hash(one->reference) == model_hash(other->reference) &&
         one->reference_s == other->reference_s && one->ready_w == other->ready_w;
}

class TestSuggestions final : public Suggestions {
 public:
  TestSuggestions(Evaluation& evaluation, const Precision& precision, const Estimator* at_hand,
                  std::function<void()> keep)
      : evaluation_(evaluation), precision_(precision), at_hand_(at_hand), keep_(std::move(keep)) {
    std::mt19937_64 random(evaluation.seed);
    for (std::size_t round = 0; round < kRounds; ++round)
      for (const std::size_t network : shuffled(evaluation.networks.size(), random))
        visits_.push_back({network, round});
    if (evaluation.steady && at_hand != nullptr) host_.emplace(*evaluation.steady);
  }

  std::optional<Suggestion> next() override {
    for (; next_ < visits_.size(); ++next_) {
      const EvaluatedNetwork& network = at_visit();
      if (network.measurements.size() <= visits_[next_].round && network.failure.empty())
        return suggestion(network.model);
      see_host();
    }
    return std::nullopt;
  }

  void tell(const Finding& finding) override {
    EvaluatedNetwork& network = at_visit();
    take(finding.observation.value(), network);
    if (network.failure.empty()) network.at_hand.push_back(std::move(before_));
    see_host();
    ++next_;
    keep_();
  }

  Progress progress() const override {
    Progress now;
    now.step = "measurements";
    now.title = evaluation_.family;
    now.done = static_cast<std::int64_t>(next_);
    now.of = static_cast<std::int64_t>(visits_.size());
    return now;
  }

  std::optional<std::int64_t> left() const override {
    return static_cast<std::int64_t>(visits_.size() - next_);
  }

 private:
  struct Visit {
    std::size_t network, round;
  };

  EvaluatedNetwork& at_visit() { return evaluation_.networks[visits_[next_].network]; }

  // The evaluation itself keeps what is measured: nothing may be fitted to its tests.
  Suggestion suggestion(const Model& model) {
    before_.reset();
    if (host_) {
      const auto now = at_hand_->on_host(host_->slowdown());
      if (now) before_ = estimate_network(*now, model);
    }
    Suggestion suggestion;
    suggestion.model = model;
    suggestion.setup = evaluation_.setup;
    suggestion.precision = precision_;
    suggestion.purpose = Purpose::check;
    suggestion.kept = false;
    if (evaluation_.steady) {
      suggestion.with_times = true;
      suggestion.reference = evaluation_.steady->reference;
    }
    return suggestion;
  }

  static void take(const Observation& observation, EvaluatedNetwork& network) {
    if (!observation.measurement) {
      network.failure = observation.failure;
      return;
    }
    network.measurements.push_back(*observation.measurement);
    network.paces.push_back(observation.pace);
    if (observation.timing) network.device_s = observation.timing->device_s;
  }

  void see_host() {
    if (host_) host_->see(at_visit().paces, visits_[next_].round);
  }

  Evaluation& evaluation_;
  Precision precision_;
  const Estimator* at_hand_;
  std::function<void()> keep_;
  std::vector<Visit> visits_;
  std::size_t next_ = 0;
  std::optional<LatestHost> host_;
  std::optional<NetworkEstimate> before_;  // made for the host as it is just before
};

}  // namespace

const char* at_hand_method(Phase phase) { return phase == Phase::inference ? "kernels" : "dual"; }

NetworkEstimate estimate_network(const Estimator& estimator, const Model& model) try {
  const Estimate estimate = estimator.estimate(model, kOneIteration);
  return {estimate.energy_j, estimate.time_s,
          estimate.uncovered.empty() ? "" : estimate.uncovered.front().reason};
} catch (const Error& error) {
  return {std::nullopt, std::nullopt, error.what()};
}

Evaluation pool(std::span<const Evaluation> evaluations) {
  Evaluation all;
  for (const Evaluation& evaluation : evaluations) {
    if (all.networks.empty()) {
      all = evaluation;
      continue;
    }
    if (!is_same_host(all.steady, evaluation.steady)) all.steady.reset();
    all.profile_seconds += evaluation.profile_seconds;
    for (const MethodRecord& method : evaluation.methods)
      if (std::ranges::find(all.methods, method.name, &MethodRecord::name) == all.methods.end())
        all.methods.push_back(method);
    std::ranges::copy(evaluation.networks, std::back_inserter(all.networks));
  }
  all.family = fmt::format("all {} families", evaluations.size());
  return all;
}

std::unique_ptr<Suggestions> suggest_networks(Evaluation& evaluation, const Precision& precision,
                                              const Estimator* at_hand,
                                              std::function<void()> keep) {
  return std::make_unique<TestSuggestions>(evaluation, precision, at_hand, std::move(keep));
}

}  // namespace ampere
