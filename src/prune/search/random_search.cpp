#include <algorithm>
#include <array>
#include <cmath>

#include "prune/search/searches.h"

namespace ampere {
namespace {

// All in octaves.
constexpr std::array kSpreads{0.25, 0.5, 1.0, 2.0};  // of single widths around the common scale
constexpr double kNarrowest = -12;                   // common scale
constexpr double kFollow = 0.02;                     // by which the scale moves after each network
constexpr int kHalvings = 12;

Levels at_scale(const SearchLedger& ledger, double scale) {
  Levels levels;
  for (std::size_t i = 0; i < ledger.space().widths.size(); ++i)
    levels.push_back(ledger.nearest_level(
        i, std::exp2(scale) * static_cast<double>(ledger.space().widths[i].most)));
  return levels;
}

// Where the network scaled as a whole leaves the budget.
double common_scale(SearchLedger& ledger) {
  double low = kNarrowest, high = 0;
  if (ledger.ask(at_scale(ledger, high)).inside) return high;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (ledger.ask(at_scale(ledger, middle)).inside ? low : high) = middle;
  }
  return low;
}

}  // namespace

// After Li et al. 2022: widths at random, the best of those inside. Drawn evenly, the widths of a
// deep network are hardly ever all small enough for a tight budget, and the few networks inside it
// are far below. So each is drawn around a common scale, and the scale of each spread follows the
// border of the budget: down after a network outside, up after one inside.
void search_random(SearchLedger& ledger, std::int64_t draws, unsigned seed) {
  ledger.begin("drawn", draws);
  Dice dice(seed);
  std::array<double, kSpreads.size()> scales;
  scales.fill(common_scale(ledger));
  Levels levels(ledger.space().widths.size());
  for (std::int64_t i = 0; i < draws; ++i) {
    const auto which = static_cast<std::size_t>(i) % kSpreads.size();
    for (std::size_t w = 0; w < levels.size(); ++w) {
      const double share = std::exp2(scales[which] + kSpreads[which] * (2 * dice.even() - 1));
      levels[w] =
          ledger.nearest_level(w, share * static_cast<double>(ledger.space().widths[w].most));
    }
    const double way = ledger.ask(levels).inside ? kFollow : -kFollow;
    scales[which] = std::clamp(scales[which] + way, kNarrowest, kSpreads[which]);
  }
}

}  // namespace ampere
