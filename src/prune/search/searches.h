// The searches, one file each. Each leaves what it finds in the ledger.
#pragma once

#include <cstdint>
#include <random>

#include "prune/search/ledger.h"

namespace ampere {

// Not the distributions of the standard library, whose results differ between implementations.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  double even() { return static_cast<double>(random_() >> 11) * 0x1p-53; }  // [0, 1)
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }

 private:
  std::mt19937_64 random_;
};

// The cheapest network found from the narrowest on. It does not depend on the budget, so that its
// cost is a budget that can be met.
Levels search_floor(SearchLedger& ledger);
void search_random(SearchLedger& ledger, std::int64_t draws, unsigned seed);
void search_greedy(SearchLedger& ledger);
void search_evolutionary(SearchLedger& ledger, std::int64_t children, unsigned seed);

// Widens a network that is inside, for as long as one stays inside: what gains most worth for the
// joules first.
void fill_up(SearchLedger& ledger, Levels levels);

// From a network that is inside to others that are worth more, by narrowing one width for the sake
// of another.
void exchange(SearchLedger& ledger, Levels levels);

// Levels below and above the present one of a width that are worth a try: some shares
// of it, and those whose channels fill the tiles that devices work in.
Levels levels_below(const SearchLedger& ledger, std::size_t width, std::int64_t level);
Levels levels_above(const SearchLedger& ledger, std::size_t width, std::int64_t level);

}  // namespace ampere
