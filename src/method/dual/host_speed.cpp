#include <algorithm>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/dual/dual_profile.h"
#include "method/dual/reference_times.h"
#include "store/idle_window.h"

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
  const auto idle = find_idle(store, profile);
  if (all.empty() || !idle || idle->time.count() <= 0) return std::nullopt;
  const auto latest = static_cast<long>(std::min(all.size(), kLatestPaces));
  return UsualHost{reference,
                   mean(all),
                   {all.end() - latest, all.end()},
                   idle->energy.value / idle->time.count()};
}

std::optional<double> slowdown_now(Rig& rig, const Store& store, std::int64_t profile,
                                   const Setup& setup, StopToken stop) try {
  if (!rig.can_pace()) return std::nullopt;
  const std::vector<Observation> networks =
      store.find({.profile = profile, .purpose = Purpose::network});
  const ReferenceTimes times = reference_times(networks);
  const auto best = std::ranges::max_element(
      times.all(), {}, [](const auto& reference) { return reference.second.size(); });
  const Model* reference = best == times.all().end() ? nullptr : find_model(networks, best->first);
  if (reference == nullptr) return std::nullopt;
  std::vector<double> now;
  while (now.size() < kLatestPaces) {
    stop.throw_if_stopped();
    const Pace pace = rig.pace(*reference, *reference, setup);
    if (!has_times(pace)) return std::nullopt;
    now.push_back(pace.reference_s);
  }
  return slowdown_by(now, times.usual_s(best->first));
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
  return std::nullopt;
}

}  // namespace ampere
