#include <algorithm>

#include "prune/search/searches.h"

namespace ampere {
namespace {

constexpr std::int64_t kShare = 16;                  // the smallest move is one of so many parts
constexpr std::int64_t kSizes[] = {1, 2, 4};         // of moves
constexpr std::int64_t kTiles[] = {8, 32, 64, 128};  // channels

Levels unique_within(Levels levels, std::int64_t low, std::int64_t high) {
  std::erase_if(levels, [&](std::int64_t level) { return level < low || level > high; });
  std::ranges::sort(levels);
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  return levels;
}

// The level of exactly so many channels; -1 where there is none.
std::int64_t level_at(const WidthRange& range, std::int64_t channels) {
  if (channels < range.least || channels > range.most) return -1;
  if (channels == range.most) return range.choices() - 1;
  return (channels - range.least) % range.step == 0 ? (channels - range.least) / range.step : -1;
}

}  // namespace

Levels levels_below(const SearchLedger& ledger, std::size_t width, std::int64_t level) {
  const WidthRange& range = ledger.space().widths[width];
  const std::int64_t unit = std::max<std::int64_t>(1, level / kShare);
  Levels levels{level - 1};
  for (const std::int64_t size : kSizes) levels.push_back(level - size * unit);
  for (const std::int64_t tile : kTiles)
    levels.push_back(level_at(range, (range.choice(level) - 1) / tile * tile));
  return unique_within(std::move(levels), 0, level - 1);
}

Levels levels_above(const SearchLedger& ledger, std::size_t width, std::int64_t level) {
  const WidthRange& range = ledger.space().widths[width];
  const std::int64_t unit = std::max<std::int64_t>(1, level / kShare);
  Levels levels{level + 1, ledger.top(width)};
  for (const std::int64_t size : kSizes) levels.push_back(level + size * unit);
  for (const std::int64_t tile : kTiles)
    levels.push_back(level_at(range, (range.choice(level) / tile + 1) * tile));
  return unique_within(std::move(levels), level + 1, ledger.top(width));
}

}  // namespace ampere
