#include "method/proxies/gather.h"

#include <algorithm>
#include <map>
#include <set>

#include "ampere/error.h"
#include "base/interrupt.h"
#include "method/proxies/proxies.h"

namespace ampere {
namespace {

// One profile of the store, and what is measured into it.
class Gatherer {
 public:
  Gatherer(const Gathering& gathering, const Setup& setup)
      : gathering_(gathering),
        setup_(setup),
        profile_(gathering.store.open_profile(gathering.rig.device(), setup, gathering.rig_name)) {}

  Observation get(const Model& model) {
    const auto known = gathering_.store.find(
        {.profile = profile_, .purpose = Purpose::network, .model_hash = model_hash(model)});
    if (!known.empty()) return known.front();
    stop_if_interrupted();
    Observation observation = observe(gathering_.rig, model, setup_, gathering_.precision);
    gathering_.store.add(profile_, observation);
    return observation;
  }

 private:
  const Gathering& gathering_;
  Setup setup_;
  std::int64_t profile_;
};

class Budget {
 public:
  explicit Budget(const Gathering& gathering) : gathering_(gathering) {}

  bool left() const { return used_ < gathering_.budget; }
  void charge(const Observation& observation) {
    if (observation.measurement) used_ += observation.measurement->elapsed;
    gathering_.progress(used_);
  }

 private:
  const Gathering& gathering_;
  Seconds used_{};
};

// The different layers of these networks, one of each type by turns: a budget that ends early has
// seen all types.
std::vector<Model> by_turns(std::span<const Model> networks) {
  std::set<std::string> seen;
  std::map<std::size_t, std::vector<Model>> of_type;  // by the alternative of its operator
  std::size_t most = 0;
  for (const Model& network : networks)
    for (Model& layer : layers_alone(network)) {
      if (!seen.insert(model_hash(layer)).second) continue;
      std::vector<Model>& equals = of_type[layer.output().op.index()];
      equals.push_back(std::move(layer));
      most = std::max(most, equals.size());
    }
  std::vector<Model> ordered;
  for (std::size_t turn = 0; turn < most; ++turn)
    for (const auto& [type, layers] : of_type)
      if (turn < layers.size()) ordered.push_back(layers[turn]);
  return ordered;
}

}  // namespace

MeasuringCost cost_of(std::span<const Observation> observations) {
  MeasuringCost cost;
  for (const Observation& observation : observations) {
    if (!observation.measurement) continue;
    ++cost.points;
    cost.seconds += observation.measurement->elapsed;
  }
  return cost;
}

MeasuringCost profile_cost(std::span<const PlannedKind> plan, const Store& store,
                           std::int64_t profile) {
  MeasuringCost cost;
  for (const PlannedKind& planned : plan) {
    const MeasuringCost of_kind = cost_of(
        store.find({.profile = profile, .purpose = Purpose::variant, .kind = planned.kind->key}));
    cost.points += of_kind.points;
    cost.seconds += of_kind.seconds;
  }
  return cost;
}

std::vector<Observation> gather_networks(const Gathering& gathering,
                                         std::span<const Model> networks) {
  Gatherer source(gathering, gathering.setup);
  Budget budget(gathering);
  std::vector<Observation> gathered;
  for (const Model& network : networks) {
    if (!budget.left()) break;
    if (!gathering.rig.can_measure(network, gathering.setup)) continue;
    gathered.push_back(source.get(network));
    budget.charge(gathered.back());
  }
  return gathered;
}

std::vector<Observation> gather_layers(const Gathering& gathering,
                                       std::span<const Model> networks) {
  std::map<Phase, Gatherer> sources;
  for (const Phase phase : {Phase::forward, Phase::backward, Phase::update})
    sources.emplace(phase, Gatherer(gathering, with_phase(gathering.setup, phase)));
  Budget budget(gathering);
  std::vector<Observation> gathered;
  for (const Model& layer : by_turns(networks)) {
    if (!budget.left()) break;
    for (const Phase phase : phases_of(layer)) {
      if (!gathering.rig.can_measure(layer, with_phase(gathering.setup, phase))) continue;
      gathered.push_back(sources.at(phase).get(layer));
      budget.charge(gathered.back());
    }
  }
  return gathered;
}

}  // namespace ampere
