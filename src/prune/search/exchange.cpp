#include "prune/search/searches.h"

namespace ampere {
namespace {

constexpr std::int64_t kMostAsked = 20'000;

// One width narrower and another one wider: whatever is worth more and inside is taken at once.
class Exchange {
 public:
  Exchange(SearchLedger& ledger, Levels levels)
      : ledger_(ledger), levels_(std::move(levels)), end_(ledger.judged() + kMostAsked) {
    worth_ = ledger.worth(levels_);
  }

  // Until a whole round of all pairs finds nothing.
  const Levels& run() {
    for (bool found = true; found;) {
      found = false;
      for (std::size_t from = 0; from < levels_.size(); ++from)
        for (std::size_t to = 0; to < levels_.size(); ++to)
          if (from != to && ledger_.judged() < end_) found = exchange(from, to) || found;
    }
    return levels_;
  }

 private:
  bool exchange(std::size_t from, std::size_t to) {
    for (const std::int64_t low : levels_below(ledger_, from, levels_[from]))
      for (const std::int64_t high : levels_above(ledger_, to, levels_[to])) {
        Levels changed = levels_;
        changed[from] = low, changed[to] = high;
        if (ledger_.worth(changed) <= worth_ || !ledger_.ask(changed).inside) continue;
        levels_ = std::move(changed);
        worth_ = ledger_.worth(levels_);
        return true;
      }
    return false;
  }

  SearchLedger& ledger_;
  Levels levels_;
  double worth_ = 0;
  std::int64_t end_;
};

}  // namespace

void exchange(SearchLedger& ledger, Levels levels) {
  fill_up(ledger, Exchange(ledger, std::move(levels)).run());
}

}  // namespace ampere
