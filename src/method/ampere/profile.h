// Measuring what is missing to estimate networks: the paper's order, guided by uncertainty.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/ampere/fit.h"

namespace ampere {

// A kind to be known up to these feature values.
struct PlannedKind {
  std::shared_ptr<const BlockKind> kind;
  Companions companions;
  std::vector<std::int64_t> upper;
};

// Everything needed for these networks and all their narrower versions, in the order in which each
// can be had by subtraction: output kinds, input kinds, hidden kinds.
std::vector<PlannedKind> plan_profile(std::span<const Model> models);

enum class Guide { energy, time };

struct ProfileOptions {
  int points = 25;  // at most, for a kind with two features or more; a third of it for one
  double tolerance =
      0.05;  // stop when the largest standard deviation is under this share of the mean
  Guide guide = Guide::energy;
  Precision precision;
  std::optional<Seconds> time_limit;  // for the whole profile; no new point is begun after it
  // Points are chosen among the variants for which this is true; absent: all.
  std::function<bool(const Model& variant)> allowed;
};

// How far one kind is.
struct KindProgress {
  std::size_t index = 0, kinds = 0;  // of the plan
  std::string title;
  int points = 0, limit = 0, failures = 0;
  std::optional<double> uncertainty;  // largest standard deviation over the mean; absent at first
  Seconds left{};                     // at most, at the pace so far, for the whole plan
  bool finished = false;
};

struct ProfileSummary {
  std::int64_t profile = 0;  // id in the store
  int measured = 0, failed = 0;
  Seconds measuring{};  // spent inside the rig
  Seconds elapsed{};    // all of it
  bool stopped_by_time_limit = false;
  std::vector<std::string> warnings;
};

// Every finished measurement is in the store before the next begins, and what is there is not
// measured again. Throws Error(interrupted) on the user's wish, with everything kept.
ProfileSummary run_profile(std::span<const PlannedKind> plan, Rig& rig, const std::string& rig_name,
                           Store& store, const Setup& setup, const ProfileOptions& options,
                           const std::function<void(const KindProgress&)>& progress);

// The fits that run_profile left in the store.
Fits read_fits(const std::vector<StoredFit>& stored);

// What run_profile would do: points already there, and how many more at most.
struct PlannedWork {
  std::string title;
  Role role = Role::hidden;
  std::vector<Feature> features;
  std::vector<std::int64_t> upper;
  int known = 0;
  int at_most = 0;
};
std::vector<PlannedWork> preview_profile(std::span<const PlannedKind> plan, const Store& store,
                                         std::optional<std::int64_t> profile,
                                         const ProfileOptions& options);

}  // namespace ampere
