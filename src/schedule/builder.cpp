#include "schedule/builder.h"

#include <algorithm>

namespace ampere {
namespace {

// More begins of one option than these are not tried; the cheapest ones come first.
constexpr std::size_t kMostBegins = 16;

}  // namespace

Builder::Builder(const Problem& problem, const Rules& rules)
    : problem_(problem), rules_(rules), timetable_(problem), plan_(problem.jobs.size()) {
  for (const JobToPlace& work : problem.jobs) {
    const auto least = std::ranges::min_element(work.options, {}, &Option::energy_most);
    least_energy_.push_back(least->energy_most);
    reserved_ += least->energy_most;
  }
}

bool Builder::affordable(std::size_t job, const Option& option) const {
  if (problem_.budget == kForever) return true;
  return reserved_ - least_energy_[job] + option.energy_most <= with_slack(problem_.budget);
}

bool Builder::insert(std::size_t job, const PriceList& prices) {
  const JobToPlace& work = problem_.jobs[job];
  std::optional<Place> best;
  order_.clear();
  for (std::uint32_t i = 0; i < work.options.size(); ++i) {
    if (rules_.same_option && i != plan_[job].option) continue;
    if (affordable(job, work.options[i]))
      order_.emplace_back(prices.cheapest(work, work.options[i]).pay, i);
  }
  std::ranges::sort(order_);
  for (const auto& [least, option] : order_) {
    if (best && best->pay < least) break;
    try_option(job, option, prices, best);
  }
  if (best) put(job, best->slot);
  return best.has_value();
}

// A begin that is taken is tried later, at the next one that is free.
void Builder::try_option(std::size_t job, std::uint32_t index, const PriceList& prices,
                         std::optional<Place>& best) {
  const JobToPlace& work = problem_.jobs[job];
  try_begin(job, index, work.release, prices, best);
  if (rules_.earliest) return;
  const double last = std::min(work.due, rules_.latest);
  prices.offers(work, work.options[index], last, offers_);
  std::ranges::stable_sort(offers_, {}, &Offer::pay);
  for (std::size_t i = 0; i < std::min(offers_.size(), kMostBegins); ++i) {
    if (best && best->pay <= offers_[i].pay) break;
    try_begin(job, index, offers_[i].begin, prices, best);
  }
}

void Builder::try_begin(std::size_t job, std::uint32_t index, double from, const PriceList& prices,
                        std::optional<Place>& best) const {
  const Option& option = problem_.jobs[job].options[index];
  const double last = std::min(problem_.jobs[job].due, rules_.latest);
  const double begin = timetable_.first_fit(option, from, with_slack(last) - option.time);
  const double end = begin + option.time;
  if (!problem_.jobs[job].in_time(begin, option) || end > with_slack(rules_.latest)) return;
  const double pay = prices.pay(option, begin);
  if (best && std::pair(best->pay, best->end) <= std::pair(pay, end)) return;
  best = {{index, begin}, pay, end};
}

void Builder::put(std::size_t job, Slot slot) {
  plan_[job] = slot;
  const Option& option = option_of(problem_, plan_, job);
  timetable_.add(option, slot.begin);
  reserved_ += option.energy_most - least_energy_[job];
}

void Builder::remove(std::size_t job) {
  const Option& option = option_of(problem_, plan_, job);
  timetable_.remove(option, plan_[job].begin);
  reserved_ -= option.energy_most - least_energy_[job];
}

double Builder::cost(std::size_t job) const {
  return problem_.cost(option_of(problem_, plan_, job), plan_[job].begin);
}

}  // namespace ampere
