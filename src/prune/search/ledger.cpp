#include "prune/search/ledger.h"

#include <algorithm>
#include <cmath>

#include "base/stats.h"

namespace ampere {
namespace {

constexpr std::size_t kKept = 48;
constexpr std::int64_t kTold = 1024;  // networks from one progress to the next

// Worth most first, of equal ones the cheaper; the widths only so that there is always an order.
bool better(const WidthCandidate& a, const WidthCandidate& b) {
  if (a.worth != b.worth) return a.worth > b.worth;
  if (a.upper_j != b.upper_j) return a.upper_j < b.upper_j;
  return a.widths < b.widths;
}

}  // namespace

SearchLedger::SearchLedger(const WidthSpace& space, WidthJudge& judge, const EnergyBudget& budget,
                           const WidthWorth& worth, std::size_t keep,
                           const std::function<void(const SearchProgress&)>& progress)
    : space_(space),
      judge_(judge),
      budget_(budget),
      reach_(normal_quantile(budget.confidence)),
      worth_(worth),
      most_kept_(std::max(kKept, keep)),
      progress_(progress),
      widths_(space.widths.size()) {}

Verdict SearchLedger::ask(const Levels& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) widths_[i] = space_.widths[i].choice(levels[i]);
  if (++judged_ % kTold == 0) {
    step_.done = judged_ - begun_at_;
    if (!best_.empty()) step_.best = best_.front();
    if (progress_) progress_(step_);
  }
  const std::optional<Judgement> cost = judge_.judge(widths_);
  if (!cost || !std::isfinite(cost->energy_j + cost->energy_sd)) return {};
  const double upper = cost->energy_j + reach_ * cost->energy_sd;
  const Verdict verdict{upper, worth_(widths_), upper <= budget_.joules};
  if (verdict.inside) {
    ++inside_;
    if (best_.size() < most_kept_ || verdict.worth >= best_.back().worth)
      keep({widths_, *cost, upper, verdict.worth});
  }
  return verdict;
}

double SearchLedger::worth(const Levels& levels) const {
  double sum = 0;
  for (std::size_t i = 0; i < levels.size(); ++i)
    sum += worth_.values[i][static_cast<std::size_t>(space_.widths[i].choice(levels[i]))];
  return sum;
}

void SearchLedger::keep(const WidthCandidate& candidate) {
  const auto place = std::ranges::lower_bound(best_, candidate, better);
  if (place != best_.end() && place->widths == candidate.widths) return;
  best_.insert(place, candidate);
  if (best_.size() > most_kept_) best_.pop_back();
}

void SearchLedger::begin(std::string what, std::int64_t of) {
  step_ = {std::move(what), 0, of, {}};
  begun_at_ = judged_;
}

std::optional<WidthCandidate> SearchLedger::candidate(const Levels& levels) {
  WidthCandidate candidate;
  for (std::size_t i = 0; i < levels.size(); ++i)
    candidate.widths.push_back(space_.widths[i].choice(levels[i]));
  const std::optional<Judgement> cost = judge_.judge(candidate.widths);
  if (!cost || !std::isfinite(cost->energy_j + cost->energy_sd)) return std::nullopt;
  candidate.cost = *cost;
  candidate.upper_j = cost->energy_j + reach_ * cost->energy_sd;
  candidate.worth = worth_(candidate.widths);
  return candidate;
}

std::int64_t SearchLedger::top(std::size_t width) const {
  return space_.widths[width].choices() - 1;
}

Levels SearchLedger::levels_of(const WidthCandidate& candidate) const {
  Levels levels;
  for (std::size_t i = 0; i < candidate.widths.size(); ++i)
    levels.push_back(nearest_level(i, static_cast<double>(candidate.widths[i])));
  return levels;
}

std::int64_t SearchLedger::nearest_level(std::size_t width, double channels) const {
  const WidthRange& range = space_.widths[width];
  if (channels >= static_cast<double>(range.most)) return top(width);
  const double steps =
      (channels - static_cast<double>(range.least)) / static_cast<double>(range.step);
  return static_cast<std::int64_t>(
      std::clamp(std::round(steps), 0.0, static_cast<double>(top(width))));
}

}  // namespace ampere
