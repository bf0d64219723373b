#include <algorithm>

#include "prune/search/searches.h"

namespace ampere {
namespace {

constexpr std::int64_t kNear = 8;  // levels from the lowest that are all tried
constexpr int kRounds = 4;

std::int64_t after(std::int64_t level) { return level < kNear ? level + 1 : 2 * level; }

}  // namespace

// One width at a time: since time jumps between neighbouring widths, a little wider may be cheaper.
Levels search_floor(SearchLedger& ledger) {
  ledger.begin("narrowest", 0);
  Levels levels(ledger.space().widths.size(), 0);
  double least = ledger.ask(levels).upper_j;
  bool improved = true;
  for (int round = 0; improved && round < kRounds; ++round) {
    improved = false;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      std::int64_t best = levels[i];
      for (std::int64_t level = 0; level <= ledger.top(i); level = after(level)) {
        levels[i] = level;
        const double upper = ledger.ask(levels).upper_j;
        if (upper < least) least = upper, best = level, improved = true;
      }
      levels[i] = best;
    }
  }
  return levels;
}

}  // namespace ampere
