#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "base/interrupt.h"
#include "base/stats.h"
#include "method/dual/dual_profile.h"
#include "method/dual/dual_store.h"

namespace ampere {
namespace {

using Times = std::vector<double>;

// Of each reference, in the order they were taken.
std::map<std::string, Times> reference_times(const std::vector<Observation>& networks) {
  std::map<std::string, Times> times;
  for (const Observation& network : networks)
    if (network.pace && network.pace->reference_s > 0)
      times[network.pace->reference].push_back(network.pace->reference_s);
  return times;
}

const Model* find_model(const std::vector<Observation>& networks, const std::string& hash) {
  const auto found = std::ranges::find_if(networks, [&](const Observation& network) {
    return network.measurement && model_hash(network.model) == hash;
  });
  return found == networks.end() ? nullptr : &found->model;
}

}  // namespace

std::optional<UsualHost> usual_host(const Store& store, std::int64_t profile,
                                    const Model& reference) {
  const auto times = reference_times(store.find({.profile = profile, .purpose = Purpose::network}));
  const auto own = times.find(model_hash(reference));
  const auto idle = find_idle(store, profile);
  if (own == times.end() || !idle || idle->time.count() <= 0) return std::nullopt;
  const Times& all = own->second;
  const auto latest = static_cast<long>(std::min(all.size(), kLatestPaces));
  return UsualHost{
      mean(all), {all.end() - latest, all.end()}, idle->energy.value / idle->time.count()};
}

std::optional<double> slowdown_now(Rig& rig, const Store& store, std::int64_t profile,
                                   const Setup& setup) try {
  if (!rig.can_pace()) return std::nullopt;
  const std::vector<Observation> networks =
      store.find({.profile = profile, .purpose = Purpose::network});
  const auto times = reference_times(networks);
  const auto best = std::ranges::max_element(
      times, {}, [](const auto& reference) { return reference.second.size(); });
  const Model* reference = best == times.end() ? nullptr : find_model(networks, best->first);
  if (reference == nullptr) return std::nullopt;
  Times now;
  while (now.size() < kLatestPaces) {
    stop_if_interrupted();
    now.push_back(rig.pace(*reference, *reference, setup).reference_s);
  }
  return slowdown_by(now, mean(best->second));
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
  return std::nullopt;
}

}  // namespace ampere
