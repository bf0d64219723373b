// What every search does with the networks it comes upon: judge, count, keep the best, tell of it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "prune/search/width_search.h"

namespace ampere {

// A network of the space: which choice of each width.
using Levels = std::vector<std::int64_t>;

struct Verdict {
  double upper_j = std::numeric_limits<double>::infinity();  // so for what cannot be judged
  double worth = 0;
  bool inside = false;
};

class SearchLedger {
 public:
  SearchLedger(const WidthSpace& space, WidthJudge& judge, const EnergyBudget& budget,
               const WidthWorth& worth, std::size_t keep,
               const std::function<void(const SearchProgress&)>& progress);

  // Throws what `progress` throws.
  Verdict ask(const Levels& levels);
  double worth(const Levels& levels) const;
  void begin(std::string what, std::int64_t of);  // a step of the search, for progress

  const WidthSpace& space() const { return space_; }
  double budget_j() const { return budget_.joules; }
  std::int64_t judged() const { return judged_; }
  std::int64_t inside() const { return inside_; }

  // Inside and all different, worth most first; some dozens, and `keep` at least.
  const std::vector<WidthCandidate>& best() const { return best_; }
  std::optional<WidthCandidate> candidate(
      const Levels& levels);  // not counted; none without a cost

  std::int64_t top(std::size_t width) const;  // the original's choice
  Levels levels_of(const WidthCandidate& candidate) const;
  std::int64_t nearest_level(std::size_t width, double channels) const;

 private:
  void keep(const WidthCandidate& candidate);

  const WidthSpace& space_;
  WidthJudge& judge_;
  EnergyBudget budget_;
  double reach_;  // standard deviations
  const WidthWorth& worth_;
  std::size_t most_kept_;
  const std::function<void(const SearchProgress&)>& progress_;
  SearchProgress step_;
  std::int64_t judged_ = 0, inside_ = 0, begun_at_ = 0;
  std::vector<WidthCandidate> best_;
  std::vector<std::int64_t> widths_;
};

}  // namespace ampere
