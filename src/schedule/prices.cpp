#include "schedule/prices.h"

#include <algorithm>
#include <cmath>

namespace ampere {

Prices Prices::none(const Problem& problem, const Buckets& buckets) {
  Prices prices;
  prices.device.assign(problem.devices.size(), std::vector<double>(buckets.size(), 0.));
  prices.power.assign(buckets.size(), 0.);
  return prices;
}

PriceList::PriceList(const Problem& problem, const Buckets& buckets, const Prices& prices)
    : problem_(problem), buckets_(buckets), prices_(prices), edges_(buckets) {
  if (problem.by_forecast)
    edges_.insert(edges_.end(), problem.curve.edges().begin(), problem.curve.edges().end());
  std::ranges::sort(edges_);
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (std::size_t i = 0, bucket = 0; i < edges_.size(); ++i) {
    while (bucket + 1 < buckets.size() && buckets[bucket + 1] <= edges_[i]) ++bucket;
    bucket_of_.push_back(bucket);
  }
  for (const std::vector<double>& rates : prices.device) device_.push_back(curve(rates));
  power_ = curve(prices.power);
  for (const double edge : edges_) {
    forecast_.integral.push_back(problem.by_forecast ? problem.curve.between(0, edge) : 0);
    forecast_.rate.push_back(problem.by_forecast ? problem.curve.value_at(edge) : 0);
  }
}

PriceList::Curve PriceList::curve(const std::vector<double>& rates) const {
  Curve curve;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const double before =
        i == 0 ? 0 : curve.integral[i - 1] + curve.rate[i - 1] * (edges_[i] - edges_[i - 1]);
    curve.rate.push_back(rates[bucket_of_[i]]);
    curve.integral.push_back(before);
  }
  return curve;
}

std::size_t PriceList::piece_of(double time) const {
  const auto after = std::upper_bound(edges_.begin() + 1, edges_.end(), time);
  return static_cast<std::size_t>(after - edges_.begin()) - 1;
}

// Of everything that the option pays per second, from 0 to a time in this piece.
double PriceList::integral(const Option& option, std::size_t piece, double time) const {
  const Curve& device = device_[option.kind];
  const double since = time - edges_[piece];
  const double mean_power = option.energy / option.time;
  return device.integral[piece] + device.rate[piece] * since +
         option.power * (power_.integral[piece] + power_.rate[piece] * since) +
         mean_power * (forecast_.integral[piece] + forecast_.rate[piece] * since);
}

double PriceList::base(const Option& option) const {
  const bool timeless = problem_.by_forecast || problem_.shortest;
  return (timeless ? 0 : option.energy) + prices_.budget * option.energy_most;
}

double PriceList::pay(const Option& option, double begin) const {
  const double end = begin + option.time;
  return base(option) + integral(option, piece_of(end), end) -
         integral(option, piece_of(begin), begin);
}

// All that the option pays per second, from each edge on, and its integral up to the edge.
void PriceList::combine(const Option& option) const {
  const Curve& device = device_[option.kind];
  const double mean_power = option.energy / option.time;
  at_edge_.resize(edges_.size());
  rate_.resize(edges_.size());
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    at_edge_[i] =
        device.integral[i] + option.power * power_.integral[i] + mean_power * forecast_.integral[i];
    rate_[i] = device.rate[i] + option.power * power_.rate[i] + mean_power * forecast_.rate[i];
  }
}

// The integral is linear between edges, so what is paid is linear in the begin until the begin or
// the end meets an edge. After the last edge nothing changes any more.
void PriceList::offers(const JobToPlace& work, const Option& option, double last,
                       std::vector<Offer>& offers) const {
  offers.clear();
  combine(option);
  const double first = work.release, time = option.time;
  const double latest = std::max(first, last - time);
  const double fixed = base(option);
  const auto until = [&](std::size_t piece, double moment) {
    return at_edge_[piece] + rate_[piece] * (moment - edges_[piece]);
  };
  const auto offer = [&](double begin, std::size_t from, std::size_t to) {
    offers.push_back({fixed + until(to, begin + time) - until(from, begin), begin});
  };
  const std::size_t first_from = piece_of(first), first_to = piece_of(first + time);
  offer(first, first_from, first_to);
  for (std::size_t from = first_from + 1, to = first_to;
       from < edges_.size() && edges_[from] < latest; ++from) {
    while (to + 1 < edges_.size() && edges_[to + 1] <= edges_[from] + time) ++to;
    offer(edges_[from], from, to);
  }
  for (std::size_t to = first_to + 1, from = first_from;
       to < edges_.size() && edges_[to] - time < latest; ++to) {
    const double begin = edges_[to] - time;
    if (begin <= first) continue;
    while (from + 1 < edges_.size() && edges_[from + 1] <= begin) ++from;
    offer(begin, from, to);
  }
  if (latest < kForever && latest > first) offer(latest, piece_of(latest), piece_of(latest + time));
}

Offer PriceList::cheapest(const JobToPlace& work, const Option& option) const {
  if (cheapest_.empty())
    cheapest_.assign(problem_.all_options.size(), {std::numeric_limits<double>::quiet_NaN(), 0});
  Offer& known = cheapest_[option.index];
  if (std::isnan(known.pay)) {
    offers(work, option, work.due, offers_);
    known = *std::ranges::min_element(offers_, {}, &Offer::pay);
  }
  return known;
}

// What all resources bring from 0 to the last edge, and the budget.
double PriceList::income(double until) const {
  double sum = prices_.budget > 0 ? prices_.budget * problem_.budget : 0;
  const std::size_t last = piece_of(until);
  for (std::size_t kind = 0; kind < device_.size(); ++kind)
    sum += problem_.devices[kind] * device_[kind].integral[last];
  const double power = power_.integral[last];
  return sum + (power > 0 ? power * problem_.cap : 0);
}

double PriceList::bound() const {
  double paid = 0, earliest_end = 0;
  for (const JobToPlace& work : problem_.jobs) {
    double least = kForever, end = kForever;
    for (const Option& option : work.options) {
      least = std::min(least, cheapest(work, option).pay);
      end = std::min(end, work.release + option.time);
    }
    paid += least;
    earliest_end = std::max(earliest_end, end);
  }
  const double bound = bound_if_paid(paid);
  return problem_.shortest ? std::max(earliest_end, bound) : bound;
}

double PriceList::bound_if_paid(double all_jobs) const {
  const double earned = income(buckets_.back());
  const double rounding = kSlack * (std::abs(all_jobs) + earned);
  const double surplus = all_jobs - earned - rounding;
  if (!problem_.shortest) return surplus;
  double rate = prices_.power.back() > 0 ? prices_.power.back() * problem_.cap : 0;
  for (std::size_t kind = 0; kind < device_.size(); ++kind)
    rate += problem_.devices[kind] * prices_.device[kind].back();
  return rate > 0 ? buckets_.back() + surplus / rate : 0;
}

}  // namespace ampere
