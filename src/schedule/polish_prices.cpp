#include "schedule/polish_prices.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

// Applies `change` to each price that belongs to a limit: with the price, the limit, and what
// `used` says of it.
template <class Change>
void for_each_price(const Problem& problem, const Buckets& buckets, Prices& prices,
                    const Prices& used, const Change& change) {
  for (std::size_t b = 0; b + 1 < buckets.size(); ++b) {
    const double length = buckets[b + 1] - buckets[b];
    for (std::size_t kind = 0; kind < problem.devices.size(); ++kind)
      if (problem.devices[kind] > 0)
        change(prices.device[kind][b], problem.devices[kind] * length, used.device[kind][b]);
    if (problem.cap < kForever && problem.cap > 0)
      change(prices.power[b], problem.cap * length, used.power[b]);
  }
  if (problem.budget < kForever && problem.budget > 0)
    change(prices.budget, problem.budget, used.budget);
}

struct Use {
  Prices amount;  // device-seconds, watt-seconds, joules in the place of their prices
  double paid = 0;
};

void add_use(const Buckets& buckets, const Option& option, double begin, Prices& use) {
  const double end = begin + option.time;
  for (std::size_t b = 0; b + 1 < buckets.size() && buckets[b] < end; ++b) {
    const double inside = std::min(end, buckets[b + 1]) - std::max(begin, buckets[b]);
    if (inside <= 0) continue;
    use.device[option.kind][b] += inside;
    use.power[b] += inside * option.power;
  }
  use.budget += option.energy_most;
}

// What the jobs use if each takes what is cheapest for it.
Use use_at(const Problem& problem, const Buckets& buckets, const PriceList& list) {
  Use use{Prices::none(problem, buckets)};
  for (const JobToPlace& work : problem.jobs) {
    const Option* chosen = nullptr;
    Offer best{kForever, 0};
    for (const Option& option : work.options) {
      const Offer offer = list.cheapest(work, option);
      if (offer.pay >= best.pay) continue;
      best = offer;
      chosen = &option;
    }
    add_use(buckets, *chosen, best.begin, use.amount);
    use.paid += best.pay;
  }
  return use;
}

}  // namespace

// Counted in what a limit earns, price times limit, all prices have the same scale. The length of a
// step aims at a bound that is a little better than the best one (Polyak's rule); the aim comes
// nearer when steps do not help.
Prices polish_prices(const Problem& problem, const Buckets& buckets, Prices prices, int steps,
                     StopToken stop) {
  Prices best = prices;
  double best_bound = -kForever, aim = 0.01;
  for (int i = 0, in_vain = 0; i < steps; ++i) {
    stop.throw_if_stopped();
    const PriceList list(problem, buckets, prices);
    const Use use = use_at(problem, buckets, list);
    const double bound = list.bound_if_paid(use.paid);
    if (bound > best_bound) {
      best_bound = bound;
      best = prices;
      in_vain = 0;
    } else if (++in_vain == 4) {
      aim /= 2;
      in_vain = 0;
      prices = best;
      continue;
    }
    double length = 0;
    for_each_price(problem, buckets, prices, use.amount,
                   [&](double price, double limit, double used) {
                     const double excess = used / limit - 1;
                     if (price > 0 || excess > 0) length += excess * excess;
                   });
    if (length == 0) break;
    const double step = (best_bound + aim * std::abs(best_bound) - bound) / length;
    for_each_price(problem, buckets, prices, use.amount,
                   [&](double& price, double limit, double used) {
                     price = std::max(0., price + step * (used / limit - 1) / limit);
                   });
  }
  return best;
}

}  // namespace ampere
