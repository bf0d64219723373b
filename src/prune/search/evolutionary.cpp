#include <algorithm>
#include <cmath>

#include "prune/search/searches.h"

namespace ampere {
namespace {

constexpr int kRepairs = 6;
constexpr double kReach = 2;        // octaves that a width moves at the most
constexpr double kChanges = 1.5;    // widths changed in a child, on average
constexpr std::size_t kFilled = 4;  // of the best in the end

class Breeding {
 public:
  Breeding(SearchLedger& ledger, unsigned seed) : ledger_(ledger), dice_(seed) {
    for (std::size_t i = 0; i < ledger.space().widths.size(); ++i)
      if (ledger.top(i) > 0) free_.push_back(i);
  }

  void breed_one() {
    Levels child = crossed();
    for (const std::size_t width : free_)
      if (dice_.even() < kChanges / static_cast<double>(free_.size())) change(child, width);
    Verdict verdict = ledger_.ask(child);
    for (int i = 0; i < kRepairs && !verdict.inside; ++i) {
      lower(child, any_width());
      verdict = ledger_.ask(child);
    }
    if (!verdict.inside) return;
    raise(child, any_width());
    ledger_.ask(child);
  }

 private:
  std::size_t any_width() {
    return free_[static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(free_.size())))];
  }

  // The better of two at random: the best are first.
  const WidthCandidate& parent() {
    const auto count = static_cast<std::int64_t>(ledger_.best().size());
    return ledger_
        .best()[static_cast<std::size_t>(std::min(dice_.below(count), dice_.below(count)))];
  }

  Levels crossed() {
    Levels child = ledger_.levels_of(parent());
    const Levels other = ledger_.levels_of(parent());
    for (std::size_t i = 0; i < child.size(); ++i)
      if (dice_.even() < 0.5) child[i] = other[i];
    return child;
  }

  // Near widths more often than far ones, and by a level at least.
  double octaves() { return kReach * std::pow(dice_.even(), 3); }
  std::int64_t scaled(const Levels& child, std::size_t width, double by) const {
    const WidthRange& range = ledger_.space().widths[width];
    return ledger_.nearest_level(width,
                                 std::exp2(by) * static_cast<double>(range.choice(child[width])));
  }

  void lower(Levels& child, std::size_t width) {
    const Levels below = levels_below(ledger_, width, child[width]);
    if (below.empty()) return;
    child[width] =
        dice_.even() < 0.5
            ? below[static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(below.size())))]
            : std::min(child[width] - 1, scaled(child, width, -octaves()));
  }

  void raise(Levels& child, std::size_t width) {
    const Levels above = levels_above(ledger_, width, child[width]);
    if (above.empty()) return;
    child[width] =
        dice_.even() < 0.5
            ? above[static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(above.size())))]
            : std::max(child[width] + 1, scaled(child, width, octaves()));
  }

  void change(Levels& child, std::size_t width) {
    if (dice_.even() < 0.5)
      lower(child, width);
    else
      raise(child, width);
  }

  SearchLedger& ledger_;
  Dice dice_;
  std::vector<std::size_t> free_;
};

}  // namespace

// The best found so far are the population: a child that is worth more than the last of them takes
// its place.
void search_evolutionary(SearchLedger& ledger, std::int64_t children, unsigned seed) {
  ledger.begin("bred", children);
  if (ledger.best().empty()) return;
  Breeding breeding(ledger, seed);
  for (const std::int64_t end = ledger.judged() + children; ledger.judged() < end;)
    breeding.breed_one();
  const std::vector<WidthCandidate> best = ledger.best();
  for (std::size_t i = 0; i < std::min(kFilled, best.size()); ++i)
    fill_up(ledger, ledger.levels_of(best[i]));
}

}  // namespace ampere
