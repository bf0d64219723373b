// Collecting what the dual model is fitted to: blocks timed alone, and the energy of a few
// networks.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/dual/dual.h"
#include "method/dual/time_law.h"
#include "method/method.h"

namespace ampere {

// Two windows of two seconds are enough for one of dozens of networks.
inline constexpr Precision kDualPrecision{
    .relative_error = 0.02, .time_limit = Seconds(2), .min_windows = 2};

// Blocks alone, in the order in which they are timed.
struct BlockToTime {
  std::string kind;  // key
  std::vector<std::int64_t> features;
  Model model;
  Phase phase = Phase::block;  // a last block is timed with its loss
};

BlockToTime block_to_time(const Block& block);

struct DualPlan {
  std::vector<BlockToTime> blocks;
  std::vector<Model> networks;  // the first is the reference, measured again between the others
  // At the widths people choose; after all others and only what the rig can: recordings from before
  // there were such have no answers.
  std::vector<Model> round_networks;
  std::vector<BlockToTime> round_blocks;  // an eighth as many as others, at most
};
DualPlan plan_dual(const ProfileTask& task, const ProfileOptions& options);

// What of a plan a profile does not have yet.
DualPlan missing_of(const DualPlan& plan, const Store& store, std::int64_t profile);

// Throws Error(usage) when the rig cannot time blocks.
void require_timing(const Rig& rig);

// Whether the profile has learnt from one of these networks (by hash): measured it whole, or timed
// blocks for it alone.
bool holds_any_of(const Store& store, std::int64_t profile, const std::set<std::string>& networks);

// All that the profile has for a fit, without these networks (by hash) and without the blocks that
// were timed for them alone. Where the device drifted, the line through the repeated measurements
// of one network is taken out.
DualEvidence dual_evidence(const Store& store, std::int64_t profile, const Setup& setup,
                           const std::set<std::string>& without = {});

// Fits anew the models of the families that have changed since they were stored, and stores them.
// How far all of them are off for networks left out of them; nothing, and nothing is changed, when
// there is too little to fit.
std::optional<CrossValidation> refit_dual(const FitBench& bench);

// The stored model of the family that these kinds belong to, with the maps of these kinds; without
// kinds, of the first family, with all maps. Null when there is none.
SharedDualModel load_dual(const Store& store, std::int64_t profile,
                          const std::vector<std::string>& kinds = {});
TimeMaps load_maps(const Store& store, std::int64_t profile, const std::vector<std::string>& kinds);
void put_maps(Store& store, std::int64_t profile, const TimeMaps& maps);
bool has_dual(const Store& store, std::int64_t profile);

// Makes the stored timings of this network's blocks part of the stored maps, and notes which of
// them were timed for this network alone.
void remember_timings(Store& store, std::int64_t profile, const Model& network);

// Networks measured while the device changed, as it was in the middle: the line through the
// repeated measurements of one network is taken out of all, where it is more than scatter. Networks
// whose pace is known need none of it.
std::vector<Observation> without_drift(std::vector<Observation> networks);

// From the observations of the reference, in the order they were taken.
Drift drift_of(std::span<const Observation> reference);

// The host while this network was the reference; nothing where its pace or the power of the device
// at rest was not measured.
std::optional<UsualHost> find_usual_host(const Store& store, std::int64_t profile,
                                         const Model& reference);

// How much longer than usual the host takes now (timing.h): runs the profile's reference, for some
// seconds. Nothing where the profile knows no pace or the rig cannot take one.
std::optional<double> slowdown_now(Rig& rig, const Store& store, std::int64_t profile,
                                   const Setup& setup, StopToken stop);

// How long it took to time all blocks and to measure all networks of a profile.
struct DualCosts {
  MeasuringCost timings, networks;
};
DualCosts dual_costs(const Store& store, std::int64_t profile);
// The same, both together, of what the models of the families that these networks belong to rest
// on.
MeasuringCost dual_cost(const Store& store, const ProfileRow& profile,
                        std::span<const Model> originals);

}  // namespace ampere
