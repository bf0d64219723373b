#include "schedule/improve.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/stopwatch.h"

namespace ampere {
namespace {

constexpr double kNothingToGain = 1e-4;  // relative distance from the bound

class Improver {
 public:
  Improver(const Problem& problem, const Buckets& buckets, const PriceList& prices,
           const Plan& plan, const Rules& rules, const ImproveLimits& limits, StopToken stop)
      : problem_(problem),
        costs_(problem, buckets, Prices::none(problem, buckets)),
        prices_(prices),
        limits_(limits),
        stop_(stop),
        builder_(problem, rules) {
    for (std::size_t job = 0; job < plan.size(); ++job) builder_.put(job, plan[job]);
    for (const JobToPlace& work : problem.jobs) {
      least_.push_back(kForever);
      for (const Option& option : work.options)
        least_.back() = std::min(least_.back(), costs_.cheapest(work, option).pay);
    }
    value_ = value_of(problem, plan);
  }

  Plan run() {
    for (int i = 0; i < limits_.passes && !done(); ++i)
      if (!move_each()) break;
    for (int i = 0; i < limits_.exchanges && !done(); ++i) exchange(i);
    return builder_.plan();
  }

 private:
  bool done() const {
    stop_.throw_if_stopped();
    if (watch_.elapsed() > limits_.time) return true;
    return limits_.bound && value_ - *limits_.bound <= kNothingToGain * std::abs(*limits_.bound);
  }

  double loss(std::size_t job) const { return builder_.cost(job) - least_[job]; }

  // The jobs that lose most first.
  std::vector<std::size_t> losers() const {
    std::vector<std::pair<double, std::size_t>> losses;
    for (std::size_t job = 0; job < least_.size(); ++job)
      if (const double lost = loss(job); lost > kNothingToGain * std::abs(least_[job]))
        losses.emplace_back(-lost, job);
    std::ranges::sort(losses);
    std::vector<std::size_t> jobs;
    for (const auto& [lost, job] : losses) jobs.push_back(job);
    return jobs;
  }

  // Takes these jobs out and puts them in again in their new order; undone if that is worse.
  bool replace(const std::vector<std::size_t>& jobs, const PriceList& prices) {
    before_.clear();
    double change = 0;
    for (const std::size_t job : jobs) {
      before_.push_back(builder_.plan()[job]);
      change -= builder_.cost(job);
      builder_.remove(job);
    }
    std::size_t placed = 0;
    for (; placed < jobs.size() && builder_.insert(jobs[placed], prices); ++placed)
      change += builder_.cost(jobs[placed]);
    if (placed == jobs.size() && change <= 0) {
      value_ += change;
      return change < -1e-12 * std::abs(value_);
    }
    for (std::size_t i = 0; i < placed; ++i) builder_.remove(jobs[i]);
    for (std::size_t i = 0; i < jobs.size(); ++i) builder_.put(jobs[i], before_[i]);
    return false;
  }

  bool move_each() {
    bool better = false;
    for (const std::size_t job : losers()) better = replace({job}, costs_) || better;
    return better;
  }

  // A job that loses, those that stand where it would like to be, and some others.
  void exchange(int round) {
    if (round % 50 == 0) losers_ = losers();
    if (losers_.empty()) return;
    const auto pick = [&](std::size_t below) { return random_() % below; };
    const std::size_t job = losers_[pick(losers_.size())];
    std::vector<std::size_t> jobs = rivals(job);
    while (jobs.size() > kExchanged) {
      std::swap(jobs[pick(jobs.size())], jobs.back());
      jobs.pop_back();
    }
    jobs.push_back(job);
    for (std::size_t i = jobs.size() - 1; i > 0; --i) std::swap(jobs[i], jobs[pick(i + 1)]);
    replace(jobs, round % 2 == 0 ? prices_ : costs_);
  }

  // Jobs that run where this one would be cheapest, and at that time if time matters.
  std::vector<std::size_t> rivals(std::size_t job) {
    const JobToPlace& work = problem_.jobs[job];
    const auto pay = [&](const Option& option) { return costs_.cheapest(work, option).pay; };
    const Option& wish = work.options[random_() % 2 == 0 ? random_() % work.options.size()
                                                         : cheapest_option(work, pay)];
    const Offer offer = costs_.cheapest(work, wish);
    std::vector<std::size_t> jobs;
    for (std::size_t other = 0; other < least_.size(); ++other) {
      const Option& option = option_of(problem_, builder_.plan(), other);
      const double begin = builder_.plan()[other].begin;
      const bool overlaps = begin < offer.begin + wish.time && offer.begin < begin + option.time;
      if (other != job && option.kind == wish.kind && (overlaps || !problem_.by_forecast))
        jobs.push_back(other);
    }
    return jobs;
  }

  template <class Pay>
  static std::size_t cheapest_option(const JobToPlace& work, const Pay& pay) {
    const auto best = std::ranges::min_element(work.options, {}, pay);
    return static_cast<std::size_t>(best - work.options.begin());
  }

  static constexpr std::size_t kExchanged = 8;

  const Problem& problem_;
  const PriceList costs_;    // without prices
  const PriceList& prices_;  // of scarce resources
  const ImproveLimits& limits_;
  StopToken stop_;
  Builder builder_;
  std::vector<double> least_;  // that a job can cost if it is alone
  double value_ = 0;
  std::vector<std::size_t> losers_;
  std::vector<Slot> before_;
  std::mt19937_64 random_{1};
  Stopwatch watch_;
};

}  // namespace

Plan improve(const Problem& problem, const Buckets& buckets, const PriceList& prices, Plan plan,
             const Rules& rules, const ImproveLimits& limits, StopToken stop) {
  return Improver(problem, buckets, prices, plan, rules, limits, stop).run();
}

}  // namespace ampere
