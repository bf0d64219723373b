#include "method/host_speed.h"

#include <algorithm>

#include "method/dual/dual_profile.h"
#include "method/reference_times.h"

namespace ampere {
namespace {

ReferenceTimes reference_times(const std::vector<Observation>& networks) {
  ReferenceTimes times;
  for (const Observation& network : networks) times.add(network.pace);
  return times;
}

const Model* find_model(const std::vector<Observation>& networks, const std::string& hash) {
  const auto found = std::ranges::find_if(networks, [&](const Observation& network) {
    return network.measurement && model_hash(network.model) == hash;
  });
  return found == networks.end() ? nullptr : &found->model;
}

}  // namespace

std::optional<UsualHost> find_usual_host(const Store& store, std::int64_t profile,
                                         const Model& reference) {
  const ReferenceTimes times =
      reference_times(store.find({.profile = profile, .purpose = Purpose::network}));
  const std::vector<double>& all = times.of(model_hash(reference));
  return usual_host_of(store, profile, reference, all, all);
}

std::optional<double> slowdown_now(Rig& rig, const Store& store, std::int64_t profile,
                                   const Setup& setup, StopToken stop) {
  if (!rig.can_pace()) return std::nullopt;
  const std::vector<Observation> networks =
      store.find({.profile = profile, .purpose = Purpose::network});
  const ReferenceTimes times = reference_times(networks);
  const auto best = std::ranges::max_element(
      times.all(), {}, [](const auto& reference) { return reference.second.size(); });
  const Model* reference = best == times.all().end() ? nullptr : find_model(networks, best->first);
  if (reference == nullptr) return std::nullopt;
  return look_at_host(rig, *reference, times.usual_s(best->first), setup, stop);
}

}  // namespace ampere
