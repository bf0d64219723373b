#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "ampere/error.h"
#include "base/text.h"
#include "prune/search/searches.h"

namespace ampere {
namespace {

constexpr std::array kKinds{SearchKind::random, SearchKind::greedy, SearchKind::evolutionary};
constexpr std::int64_t kMostDraws = 1'000'000'000;

void check(const WidthSpace& space, const EnergyBudget& budget, const WidthWorth& worth,
           const SearchOptions& options) {
  const auto require = [](bool holds, const std::string& message) {
    if (!holds) throw Error(ErrorCode::usage, message);
  };
  require(std::isfinite(budget.joules) && budget.joules > 0,
          fmt::format("a budget is above 0 J, and {} J is not", budget.joules));
  require(budget.confidence >= 0.5 && budget.confidence < 1,
          fmt::format("the confidence of a budget is at least 0.5 and below 1, not {}",
                      budget.confidence));
  require(options.draws >= 1 && options.draws <= kMostDraws,
          fmt::format("a search draws 1 to {} networks, not {}", kMostDraws, options.draws));
  require(options.keep >= 1, fmt::format("a search keeps 1 network or more, not {}", options.keep));
  require(worth.values.size() == space.widths.size(),
          fmt::format("the worth of {} widths is given for {}", worth.values.size(),
                      space.widths.size()));
  for (std::size_t i = 0; i < space.widths.size(); ++i)
    require(static_cast<std::int64_t>(worth.values[i].size()) > space.widths[i].most,
            fmt::format("the worth of '{}' ends before its {} channels", space.widths[i].name,
                        space.widths[i].most));
}

void run(SearchLedger& ledger, const SearchOptions& options) {
  if (options.kind != SearchKind::greedy) search_random(ledger, options.draws, options.seed);
  if (options.kind != SearchKind::random) search_greedy(ledger);
  if (options.kind == SearchKind::evolutionary)
    search_evolutionary(ledger, options.draws, options.seed);
}

}  // namespace

const char* to_string(SearchKind kind) {
  switch (kind) {
    case SearchKind::random:
      return "random";
    case SearchKind::greedy:
      return "greedy";
    case SearchKind::evolutionary:
      return "evolutionary";
  }
  return "?";
}

SearchKind parse_search(const std::string& text) {
  std::vector<std::string> names;
  for (const SearchKind kind : kKinds) {
    if (text == to_string(kind)) return kind;
    names.emplace_back(to_string(kind));
  }
  throw Error(ErrorCode::usage, fmt::format("no search is called '{}'{} (there are: {})", text,
                                            suggestion(text, names), fmt::join(names, ", ")));
}

SearchResult search_widths(const WidthSpace& space, WidthJudge& judge, const EnergyBudget& budget,
                           const WidthWorth& worth, const SearchOptions& options,
                           const std::function<void(const SearchProgress&)>& progress) {
  check(space, budget, worth, options);
  SearchLedger ledger(space, judge, budget, worth, static_cast<std::size_t>(options.keep),
                      progress);
  Levels top;
  for (std::size_t i = 0; i < space.widths.size(); ++i) top.push_back(ledger.top(i));
  SearchResult result;
  result.original = ledger.candidate(top);
  result.floor = ledger.candidate(search_floor(ledger));
  run(ledger, options);
  result.judged = ledger.judged(), result.inside = ledger.inside();
  result.best = ledger.best();
  if (result.best.size() > static_cast<std::size_t>(options.keep))
    result.best.resize(static_cast<std::size_t>(options.keep));
  if (result.floor) result.floor_causes = judge.causes(result.floor->widths);
  return result;
}

}  // namespace ampere
