#include <algorithm>

#include "base/stopwatch.h"
#include "schedule/improve.h"
#include "schedule/price_search.h"
#include "schedule/search.h"

namespace ampere {
namespace {

constexpr std::size_t kManyJobs = 20'000;  // for which everything is done as rarely as possible

// The best plan over several orders; if prices lead all of them into a dead end, any plan that
// begins as early as it can.
ConstructedSchedule first_plan(const Problem& problem, const PriceList& prices,
                               const PriceList& costs, const Rules& rules, StopToken stop) {
  const bool few = problem.jobs.size() <= kFewJobs;
  const int repeats = few ? 20 : 1;
  ConstructedSchedule best;
  double best_value = kForever;
  for (const Order order : {Order::deadline, Order::loss, Order::length}) {
    if (!few && order != Order::deadline) break;
    ConstructedSchedule attempt = construct(problem, prices, rules, order, repeats, stop);
    if (!attempt.plan) {
      if (!best.plan) best.stuck = attempt.stuck;
      continue;
    }
    const double value = value_of(problem, *attempt.plan);
    if (value < best_value) best = std::move(attempt);
    best_value = std::min(value, best_value);
  }
  if (best.plan) return best;
  const Rules early{.earliest = true, .latest = rules.latest};
  return construct(problem, costs, early, Order::deadline, few ? 200 : 5, stop);
}

ImproveLimits improve_limits(const Problem& problem, double bound, Seconds time) {
  const std::size_t jobs = problem.jobs.size();
  if (jobs > kManyJobs) return {bound, 1, 0, time};
  return {bound, 5, jobs > kFewJobs ? 500 : 3000, time};
}

}  // namespace

Search find_cheapest(const Problem& problem, Start start, const SolverLimits& limits,
                     StopToken stop) {
  const Stopwatch watch;
  const Buckets buckets = make_buckets(problem);
  const PriceList prices(problem, buckets, find_prices(problem, buckets, limits.time / 2, stop));
  const PriceList costs(problem, buckets, Prices::none(problem, buckets));
  const double bound = std::max(prices.bound(), costs.bound());
  const Rules rules{.earliest =
                        buckets.size() == 1 || (problem.by_forecast && start == Start::earliest)};
  ConstructedSchedule attempt = first_plan(problem, prices, costs, rules, stop);
  if (!attempt.plan) return {std::nullopt, 0, attempt.stuck};
  const ImproveLimits improving = improve_limits(problem, bound, limits.time - watch.elapsed());
  return {improve(problem, buckets, prices, std::move(*attempt.plan), rules, improving, stop),
          bound, 0};
}

Plan begin_cheaply(const Problem& problem, const Plan& plan, const SolverLimits& limits,
                   StopToken stop) {
  Problem by_forecast = problem;
  by_forecast.by_forecast = true;
  const Buckets buckets = make_buckets(by_forecast);
  const PriceList costs(by_forecast, buckets, Prices::none(by_forecast, buckets));
  const Rules rules{.earliest = false, .latest = kForever, .same_option = true};
  const ImproveLimits improving{std::nullopt, 3, 0, limits.time};
  return improve(by_forecast, buckets, costs, plan, rules, improving, stop);
}

}  // namespace ampere
