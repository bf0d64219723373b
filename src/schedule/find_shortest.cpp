#include <algorithm>
#include <span>

#include "base/stopwatch.h"
#include "schedule/price_search.h"
#include "schedule/search.h"

namespace ampere {
namespace {

constexpr int kBisections = 14;
constexpr double kAboveBound[] = {1.003, 1.01, 1.03, 1.1, 1.3};
constexpr double kGoodEnough = 1e-3;  // relative distance from the bound

void keep_better(const Problem& problem, ConstructedSchedule attempt, ConstructedSchedule& best) {
  if (!attempt.plan) return;
  attempt.plan = begin_early(problem, *attempt.plan);
  if (!best.plan || value_of(problem, *attempt.plan) < value_of(problem, *best.plan))
    best = std::move(attempt);
}

// All jobs by a common deadline, each at the place that takes least of what is scarce: this packs
// devices like bins.
ConstructedSchedule pack(const Problem& problem, const PriceList& prices, double latest,
                         int repeats, StopToken stop) {
  ConstructedSchedule attempt;
  for (const Order order : {Order::length, Order::deadline})
    if (!attempt.plan)
      attempt = construct(problem, prices, {.latest = latest}, order, repeats, stop);
  return attempt;
}

}  // namespace

// Of many jobs, none weighs much, and they nearly always fit a little above the bound: these are
// packed at once. Few jobs are first put where each ends soonest. The common deadline is then
// lowered by bisection.
Search find_shortest(const Problem& problem, const SolverLimits& limits, StopToken stop) {
  const Stopwatch watch;
  const Buckets buckets = make_buckets(problem);
  const PriceList prices(problem, buckets, find_prices(problem, buckets, limits.time / 2, stop));
  const PriceList costs(problem, buckets, Prices::none(problem, buckets));
  const double bound = std::max(prices.bound(), costs.bound());
  const bool few = problem.jobs.size() <= kFewJobs;
  double low = bound;
  ConstructedSchedule best;
  for (const double above : few ? std::span<const double>{} : std::span(kAboveBound)) {
    keep_better(problem, pack(problem, prices, bound * above, 0, stop), best);
    if (best.plan) break;
    low = bound * above;
  }
  for (const PriceList* list : {&costs, &prices})
    for (const Order order : {Order::length, Order::deadline}) {
      if (best.plan && (!few || watch.elapsed() > limits.time)) break;
      ConstructedSchedule attempt = construct(problem, *list, {}, order, few ? 50 : 2, stop);
      best.stuck = attempt.stuck;
      keep_better(problem, std::move(attempt), best);
    }
  if (!best.plan) return {std::nullopt, 0, best.stuck};
  for (int i = 0; i < kBisections && watch.elapsed() < limits.time; ++i) {
    const double high = value_of(problem, *best.plan);
    if (high - low <= kGoodEnough * high) break;
    const double middle = (low + high) / 2;
    ConstructedSchedule attempt = pack(problem, prices, middle, few ? 5 : 1, stop);
    if (!attempt.plan)
      low = middle;
    else
      keep_better(problem, std::move(attempt), best);
  }
  return {std::move(best.plan), bound, 0};
}

}  // namespace ampere
