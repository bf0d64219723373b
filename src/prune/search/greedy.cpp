#include <algorithm>
#include <cmath>
#include <limits>

#include "prune/search/searches.h"

namespace ampere {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Move {
  std::int64_t level = 0;
  double price = kInfinity;  // in worth a joule, or in joules the worth; there is none: infinite
  Verdict after;
};

class Narrowing {
 public:
  explicit Narrowing(SearchLedger& ledger) : ledger_(ledger) {
    for (std::size_t i = 0; i < ledger.space().widths.size(); ++i) levels_.push_back(ledger.top(i));
    now_ = ledger.ask(levels_);
    moves_.assign(levels_.size(), {0, 0, {}});  // all are to be asked
    fresh_.assign(levels_.size(), false);
  }

  // Until inside, or nothing is left to narrow.
  bool run() {
    while (!now_.inside)
      if (const std::size_t width = next_width(); std::isfinite(moves_[width].price))
        take(width);
      else if (!narrow_all())
        return false;
    return true;
  }

  const Levels& levels() const { return levels_; }

 private:
  // The width whose move costs least worth for a joule. Prices change little with the other widths,
  // so that only those that look cheapest are asked again.
  std::size_t next_width() {
    for (;;) {
      const auto cheapest = static_cast<std::size_t>(
          std::ranges::min_element(moves_, {}, &Move::price) - moves_.begin());
      if (std::isfinite(moves_[cheapest].price) && fresh_[cheapest]) return cheapest;
      const auto stale =
          std::isfinite(moves_[cheapest].price)
              ? cheapest
              : static_cast<std::size_t>(std::ranges::find(fresh_, false) - fresh_.begin());
      if (stale == fresh_.size()) return cheapest;
      moves_[stale] = best_move(stale);
      fresh_[stale] = true;
    }
  }

  // What is saved beyond the budget is worth nothing.
  Move best_move(std::size_t width) {
    Move best;
    const double wanted = now_.upper_j - ledger_.budget_j();
    Levels levels = levels_;
    for (const std::int64_t level : levels_below(ledger_, width, levels_[width])) {
      levels[width] = level;
      const Verdict after = ledger_.ask(levels);
      const double saved = std::min(wanted, now_.upper_j - after.upper_j);
      if (!(saved > 0)) continue;
      const double price = (now_.worth - after.worth) / saved;
      if (price < best.price) best = {level, price, after};
    }
    return best;
  }

  void take(std::size_t width) {
    levels_[width] = moves_[width].level;
    now_ = moves_[width].after;
    moves_[width].price = 0;  // the first to be asked again
    std::fill(fresh_.begin(), fresh_.end(), false);
  }

  // No width alone saves anything: all of them a little.
  bool narrow_all() {
    bool narrower = false;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Levels below = levels_below(ledger_, i, levels_[i]);
      if (below.empty()) continue;
      levels_[i] = below.front();
      narrower = true;
    }
    now_ = ledger_.ask(levels_);
    std::fill(fresh_.begin(), fresh_.end(), false);
    return narrower;
  }

  SearchLedger& ledger_;
  Levels levels_;
  Verdict now_;
  std::vector<Move> moves_;  // one a width
  std::vector<bool> fresh_;  // asked since the last one was taken
};

// Of those that stay inside, the one with the most worth for a joule; nothing where none does.
Move best_widening(SearchLedger& ledger, const Levels& from, const Verdict& now,
                   std::size_t width) {
  Move best;
  Levels levels = from;
  for (const std::int64_t level : levels_above(ledger, width, from[width])) {
    levels[width] = level;
    const Verdict after = ledger.ask(levels);
    if (!after.inside || after.worth <= now.worth) continue;
    const double spent = std::max(after.upper_j - now.upper_j, 1e-9 * now.upper_j);
    const double price = spent / (after.worth - now.worth);
    if (price < best.price) best = {level, price, after};
  }
  return best;
}

}  // namespace

void fill_up(SearchLedger& ledger, Levels levels) {
  Verdict now = ledger.ask(levels);
  std::vector<std::size_t> open;  // widths that may still have room
  for (std::size_t i = 0; i < levels.size(); ++i) open.push_back(i);
  while (now.inside && !open.empty()) {
    Move best;
    std::size_t where = 0;
    std::erase_if(open, [&](std::size_t width) {
      const Move move = best_widening(ledger, levels, now, width);
      if (move.price < best.price) best = move, where = width;
      return !std::isfinite(move.price);
    });
    if (!std::isfinite(best.price)) return;
    levels[where] = best.level;
    now = best.after;
  }
}

// Where the way down misses the budget, the floor or a network on the way may still be inside.
void search_greedy(SearchLedger& ledger) {
  ledger.begin("narrowed", 0);
  Narrowing narrowing(ledger);
  if (narrowing.run()) fill_up(ledger, narrowing.levels());
  if (!ledger.best().empty()) exchange(ledger, ledger.levels_of(ledger.best().front()));
}

}  // namespace ampere
