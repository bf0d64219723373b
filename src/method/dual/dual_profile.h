// Collecting what the dual model is fitted to: blocks timed alone, and the energy of a few
// networks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/dual/dual.h"

namespace ampere {

struct DualProfileOptions {
  int timings = 600;  // blocks timed alone, at most, beside those at round widths
  int networks = 30;  // whose energy is measured: half of them whole, half three blocks deep
  Precision precision{.relative_error = 0.02, .time_limit = Seconds(2), .min_windows = 2};
  std::optional<Seconds> time_limit;  // for all of it; nothing new is begun after it
  bool only_answerable = false;       // keeps to what the rig has an answer for: a recording
  // The largest of the originals is measured too, as it is and at half its widths (or the two
  // largest): such networks are asked for most, and are far from those at random widths, since
  // devices work best at the round numbers that people choose.
  bool measure_originals = true;
};

// What is to be known: these networks and all their narrower versions. `drawn` are such versions at
// random, and shallower ones where the family has them: as they are asked for later.
struct DualTask {
  std::vector<Model> originals;
  std::vector<Model> drawn;
};

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
DualPlan plan_dual(const DualTask& task, const DualProfileOptions& options);

// What of a plan a profile does not have yet.
DualPlan missing_of(const DualPlan& plan, const Store& store, std::int64_t profile);

struct DualProgress {
  std::string what;  // "blocks timed", "networks measured"
  int done = 0, of = 0;
  Seconds left{};  // at the pace so far, of this step
};

// A reference network at the start, between and at the end: how much the device changed meanwhile.
struct Drift {
  int repeats = 0;  // how often the reference was measured
  // Change from the first to the last, relative, along a line; absent below two measurements.
  std::optional<double> energy, time;
  bool significant = false;  // more than its own scatter explains
};

struct DualSummary {
  std::int64_t profile = 0;  // id in the store
  int timed = 0, measured = 0, failed = 0;
  Seconds elapsed{};
  bool stopped_by_time_limit = false;
  std::optional<DualCheck> check;  // absent when there is too little to fit
  Drift drift;
  std::vector<std::string> warnings;
};

// Throws Error(usage) when the rig cannot time blocks.
void require_timing(const Rig& rig);

// Everything finished is in the store before the next begins, and what is there is not measured
// again. Ends with fitting the model and storing it. Throws as require_timing does, and
// Error(interrupted) on the user's wish, with everything kept.
DualSummary run_dual_profile(const DualTask& task, Rig& rig, const std::string& rig_name,
                             Store& store, const Setup& setup, const DualProfileOptions& options,
                             const std::function<void(const DualProgress&)>& progress);

// Fits the dual model anew to all that a profile has, and stores it. Null, and nothing is changed,
// when that is too little.
SharedDualModel refit_dual(Store& store, std::int64_t profile, const Setup& setup);

// The stored model with the maps of these kinds, of all when none is given; null when there is
// none.
SharedDualModel load_dual(const Store& store, std::int64_t profile,
                          const std::vector<std::string>& kinds = {});
bool has_dual(const Store& store, std::int64_t profile);

// Times the blocks of `model` that were not timed yet, alone, and returns the model that knows
// them; from then on the stored one does too.
SharedDualModel refine_dual(const Model& model, SharedDualModel known, Rig& rig, Store& store,
                            std::int64_t profile, const Setup& setup);

// From the observations of the reference, in the order they were taken.
Drift drift_of(std::span<const Observation> reference);

// The host's speed while this network was the reference, and the power of the device doing nothing;
// nothing where either was not measured.
struct UsualHost {
  double reference_s = 0;        // on average
  std::vector<double> latest_s;  // the last few, the latest last
  double ready_w = 0;
};
std::optional<UsualHost> usual_host(const Store& store, std::int64_t profile,
                                    const Model& reference);

// How much longer than usual the host takes now (timing.h): runs the profile's reference, for some
// seconds. Nothing where the profile knows no pace or the rig cannot take one.
std::optional<double> slowdown_now(Rig& rig, const Store& store, std::int64_t profile,
                                   const Setup& setup);

// What timings and networks a dual model rests on.
struct DualCost {
  int timings = 0, networks = 0;
  Seconds seconds{};
};
DualCost dual_cost(const Store& store, std::int64_t profile);

}  // namespace ampere
