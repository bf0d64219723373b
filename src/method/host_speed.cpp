#include "method/host_speed.h"

#include <algorithm>

#include "ampere/error.h"
#include "base/stats.h"
#include "store/idle_window.h"

namespace ampere {

std::optional<double> find_ready_w(const Store& store, std::int64_t profile) {
  const auto idle = find_idle(store, profile);
  if (!idle || idle->time.count() <= 0) return std::nullopt;
  return idle->energy.value / idle->time.count();
}

std::optional<UsualHost> usual_host_of(const Store& store, std::int64_t profile,
                                       const Model& reference, std::span<const double> usual_s,
                                       std::span<const double> all_s) {
  const auto ready_w = find_ready_w(store, profile);
  if (usual_s.empty() || !ready_w) return std::nullopt;
  const auto latest = all_s.last(std::min(all_s.size(), kLatestPaces));
  return UsualHost{reference, mean(usual_s), {latest.begin(), latest.end()}, *ready_w};
}

SteadyCost steady_cost(const Measurement& measured, const Pace& pace,
                       std::optional<double> device_s, double usual_reference_s, double ready_w) {
  const double steady_s = steady_time_s(pace, usual_reference_s, device_s);
  return {measured.energy_j.mean + ready_w * (steady_s - measured.time_s.mean), steady_s};
}

std::optional<double> look_at_host(Rig& rig, const Model& reference, double usual_s,
                                   const Setup& setup, StopToken stop) try {
  if (!rig.can_pace()) return std::nullopt;
  std::vector<double> now;
  while (now.size() < kLatestPaces) {
    stop.throw_if_stopped();
    const Pace pace = rig.pace(reference, reference, setup);
    if (!has_times(pace)) return std::nullopt;
    now.push_back(pace.reference_s);
  }
  return slowdown_by(now, usual_s);
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
  return std::nullopt;
}

}  // namespace ampere
