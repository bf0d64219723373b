#include "method/dual/expected_time.h"

#include <algorithm>
#include <chrono>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr int kEnough = 5;                   // of the profile's own, to go by them
constexpr std::size_t kTried = 5;            // blocks
constexpr std::size_t kTriedNetworks = 4;    // one alone may have been disturbed
constexpr Seconds kFitting{0.001};           // for each timing of a plan
constexpr double kReferenceShare = 1.0 / 8;  // of the networks, by which the reference is repeated

struct Costs {
  Seconds timing{}, network{};
};

std::optional<Costs> known_costs(const Store& store, std::int64_t profile) {
  const auto [timings, networks] = dual_costs(store, profile);
  if (timings.points < kEnough || networks.points < kEnough) return std::nullopt;
  return Costs{timings.seconds / timings.points, networks.seconds / networks.points};
}

template <class Work>
Seconds time_of(const Work& work) {
  const Seconds begin = steady_now();
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
  }
  return steady_now() - begin;
}

// The first of anything pays for starting the device.
Costs tried_costs(const DualPlan& plan, const ProfileOptions& options, Rig& rig,
                  const Setup& setup) {
  Costs costs;
  const std::size_t tried = std::min(plan.blocks.size(), kTried);
  for (std::size_t i = 0; i < tried; ++i) {
    const BlockToTime& block = plan.blocks[i * plan.blocks.size() / tried];
    const auto time = [&] { rig.time(block.model, with_phase(setup, block.phase)); };
    if (i == 0) time_of(time);
    costs.timing += time_of(time) / static_cast<double>(tried);
  }
  const std::size_t networks = std::min(plan.networks.size(), kTriedNetworks);
  for (std::size_t i = 0; i < networks; ++i) {
    const Model& network = plan.networks[(2 * i + 1) * plan.networks.size() / (2 * networks)];
    const Seconds taken = time_of([&] {
      observe_with_times(rig, network, &plan.networks.front(), setup,
                         precision_of(options, kDualPrecision));
    });
    costs.network += taken / static_cast<double>(networks);
  }
  return costs;
}

}  // namespace

Seconds expected_time(const DualPlan& missing, const ProfileOptions& options, Rig& rig,
                      const Store& store, std::optional<std::int64_t> profile, const Setup& setup) {
  const auto timings = static_cast<double>(missing.blocks.size() + missing.round_blocks.size());
  const auto networks =
      static_cast<double>(missing.networks.size() + missing.round_networks.size());
  if (timings + networks == 0) return Seconds{0};
  // A simulated device says how long it would have taken itself.
  std::optional<Costs> costs;
  if (profile && rig.device().source != Source::simulated) costs = known_costs(store, *profile);
  if (!costs) costs = tried_costs(missing, options, rig, setup);
  const double repeats = networks * kReferenceShare;
  return timings * (costs->timing + kFitting) + (networks + repeats) * costs->network;
}

}  // namespace ampere
