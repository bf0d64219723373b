// What the published method measures: points of each kind of block, guided by uncertainty.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/profiling.h"
#include "ampere/store.h"
#include "block/planned_kinds.h"
#include "method/ampere/fit.h"
#include "method/suggestions.h"

namespace ampere {

struct KindOptions {
  int points = 25;  // at most, for a kind with two features or more; a third of it for one
  double tolerance =
      0.05;  // stop when the largest standard deviation is under this share of the mean
  Guide guide = Guide::energy;
  Precision precision;
  // Kinds get a point each in turn instead of one after the other, so that none lacks points when
  // the time is over.
  bool in_turns = false;
  // Points are chosen among the variants for which this is true; absent: all.
  std::function<bool(const Model& variant)> allowed;
};

// Points of every kind of the plan, in its order, each where the kind's Gaussian process knows
// least. Fits are kept in the profile after every point, so that whatever ends the campaign,
// estimates use all that is known. The store must outlive the suggestions.
std::unique_ptr<Suggestions> suggest_points(std::vector<PlannedKind> plan, Store& store,
                                            std::int64_t profile, const Setup& setup,
                                            const KindOptions& options);

// A variant of a planned kind at these features.
Suggestion variant_of(const PlannedKind& planned, const std::vector<std::int64_t>& features,
                      Purpose purpose, const Setup& setup, const Precision& precision);

// The fits that the profile has.
Fits read_fits(const std::vector<StoredFit>& stored);

// What suggest_points would do: points already there, and how many more at most.
std::vector<PlannedKindWork> preview_profile(std::span<const PlannedKind> plan, const Store& store,
                                             std::optional<std::int64_t> profile,
                                             const KindOptions& options);

}  // namespace ampere
