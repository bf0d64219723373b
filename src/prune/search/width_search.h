// The widths worth most inside an energy budget.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ampere/prune.h"
#include "ampere/widths.h"
#include "prune/search/width_worth.h"

namespace ampere {

struct WidthCandidate {
  std::vector<std::int64_t> widths;
  Judgement cost;
  double upper_j = 0;
  double worth = 0;
};

struct SearchProgress {
  std::string what;                    // "narrowest", "drawn", "narrowed", "bred"
  std::int64_t done = 0, of = 0;       // of 0: it cannot be said
  std::optional<WidthCandidate> best;  // so far
};

struct SearchResult {
  std::vector<WidthCandidate>
      best;  // all different, all inside, worth most first; empty: none fits
  std::int64_t judged = 0, inside = 0;
  std::optional<WidthCandidate> original;  // absent where it cannot be judged
  // The cheapest network found from the narrowest on, whatever the budget is: a budget of its
  // upper bound can be met. With its causes it says why a smaller one cannot. Absent where even
  // the narrowest network cannot be judged.
  std::optional<WidthCandidate> floor;
  CostCauses floor_causes;
};

// Throws Error(usage) for options, a budget or a worth that make no sense. What `progress` throws
// ends the search.
SearchResult search_widths(const WidthSpace& space, WidthJudge& judge, const EnergyBudget& budget,
                           const WidthWorth& worth, const SearchOptions& options = {},
                           const std::function<void(const SearchProgress&)>& progress = {});

}  // namespace ampere
