#include "schedule/price_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stopwatch.h"
#include "schedule/linear_program.h"
#include "schedule/polish_prices.h"

namespace ampere {
namespace {

constexpr std::size_t kMostJobs = 250;  // in the linear program
constexpr int kMostRounds = 60;
constexpr double kCloseEnough = 2e-4;  // relative distance of the linear program from its bound

// Every n-th of the jobs in the order of deadline, begin and size, so that all sorts of jobs are
// among them.
std::vector<std::size_t> sample_jobs(const Problem& problem) {
  std::vector<std::size_t> jobs(problem.jobs.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  if (jobs.size() <= kMostJobs) return jobs;
  std::ranges::stable_sort(jobs, {}, [&](std::size_t job) {
    const JobToPlace& work = problem.jobs[job];
    return std::tuple(work.due, work.release, work.options.front().time);
  });
  std::vector<std::size_t> sample;
  for (std::size_t i = 0; i < kMostJobs; ++i)
    sample.push_back(jobs[(2 * i + 1) * jobs.size() / (2 * kMostJobs)]);
  return sample;
}

// Steps over all jobs; about as long as the linear program takes.
int polish_steps(const Problem& problem) {
  if (problem.jobs.size() <= kMostJobs) return 0;
  return static_cast<int>(std::clamp<std::size_t>(200'000 / problem.jobs.size(), 4, 100));
}

// Numbers near 1 are best for the simplex method: everything is counted in these units.
struct Units {
  double cost = 0, time = 0, power = 0, energy = 0;

  explicit Units(const Problem& problem) {
    for (const Option& option : problem.all_options) {
      cost = std::max(cost, std::abs(problem.cost(option, 0)));
      time += option.time;
      power = std::max(power, option.power);
      energy = std::max(energy, option.energy_most);
    }
    time /= static_cast<double>(problem.all_options.size());
    if (problem.shortest) cost = time;
    for (double* unit : {&cost, &power, &energy})
      if (*unit == 0) *unit = 1;
  }
};

class Master {
 public:
  Master(const Problem& problem, const Buckets& buckets, StopToken stop)
      : problem_(problem),
        buckets_(buckets),
        units_(problem),
        sample_(sample_jobs(problem)),
        weight_(static_cast<double>(problem.jobs.size()) / static_cast<double>(sample_.size())),
        program_(make_linear_program(stop)) {
    add_rows();
    add_first_columns();
  }

  struct Round {
    Prices prices;         // of the columns so far
    double bound = 0;      // from these prices, with the sample for all jobs
    bool complete = true;  // no column was missing; otherwise those that pay were added
  };

  Round round() {
    solution_ = program_->solve();
    Round round{read_prices()};
    const PriceList list(problem_, buckets_, round.prices);
    double paid = 0;
    for (std::size_t i = 0; i < sample_.size(); ++i) paid += add_columns(i, list, round.complete);
    round.bound = list.bound_if_paid(weight_ * paid);
    return round;
  }

  double value() const {
    return solution_.value * units_.cost + (problem_.shortest ? buckets_.back() : 0);
  }

 private:
  std::size_t limited_buckets() const { return buckets_.size() - (problem_.shortest ? 0 : 1); }
  double length(std::size_t bucket) const {  // of the last one the program finds it
    return bucket + 1 < buckets_.size() ? buckets_[bucket + 1] - buckets_[bucket] : 0;
  }

  // A kind with a device for every job needs no row.
  void add_rows() {
    for (std::size_t i = 0; i < sample_.size(); ++i) program_->add_row(weight_, weight_);
    std::vector<double> users(problem_.devices.size(), 0.);
    for (const Option& option : problem_.all_options) ++users[option.kind];
    for (std::size_t kind = 0; kind < problem_.devices.size(); ++kind) {
      device_rows_.emplace_back();
      if (users[kind] <= problem_.devices[kind]) continue;
      for (std::size_t b = 0; b < limited_buckets(); ++b)
        device_rows_.back().push_back(
            program_->add_row(-kForever, problem_.devices[kind] * length(b) / units_.time));
    }
    for (std::size_t b = 0; b < limited_buckets() && problem_.cap < kForever; ++b)
      power_rows_.push_back(
          program_->add_row(-kForever, problem_.cap * length(b) / (units_.power * units_.time)));
    if (problem_.budget < kForever)
      budget_row_ = program_->add_row(-kForever, problem_.budget / units_.energy);
  }

  void add_first_columns() {
    constexpr double kNoPlace = 2;  // cost of a job without a place, in units
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      const LpEntry one{static_cast<int>(i), 1};
      program_->add_column(kNoPlace, {&one, 1});
    }
    if (problem_.shortest) add_last_length();
    const PriceList free(problem_, buckets_, Prices::none(problem_, buckets_));
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      const JobToPlace& work = problem_.jobs[sample_[i]];
      for (const Option& option : work.options) {
        add_column(i, option, work.release);
        const double begin = free.cheapest(work, option).begin;
        if (begin != work.release) add_column(i, option, begin);
      }
    }
  }

  // How far the last job ends after the last edge.
  void add_last_length() {
    entries_.clear();
    for (std::size_t kind = 0; kind < device_rows_.size(); ++kind)
      if (!device_rows_[kind].empty())
        entries_.push_back({device_rows_[kind].back(), -problem_.devices[kind]});
    if (!power_rows_.empty())
      entries_.push_back({power_rows_.back(), -problem_.cap / units_.power});
    program_->add_column(1, entries_);
  }

  void add_column(std::size_t row, const Option& option, double begin) {
    entries_.assign(1, {static_cast<int>(row), 1});
    const double end = begin + option.time;
    for (std::size_t b = 0; b < limited_buckets(); ++b) {
      const double until = b + 1 < buckets_.size() ? buckets_[b + 1] : kForever;
      const double inside = std::min(end, until) - std::max(begin, buckets_[b]);
      if (inside <= 0) continue;
      if (!device_rows_[option.kind].empty())
        entries_.push_back({device_rows_[option.kind][b], inside / units_.time});
      if (!power_rows_.empty())
        entries_.push_back({power_rows_[b], inside * option.power / (units_.time * units_.power)});
    }
    if (budget_row_ >= 0) entries_.push_back({budget_row_, option.energy_most / units_.energy});
    program_->add_column(problem_.cost(option, begin) / units_.cost, entries_);
  }

  double price(int row, double unit) const {
    const double price = solution_.row_prices[static_cast<std::size_t>(row)];
    return std::max(0., -price) * units_.cost / unit;
  }

  Prices read_prices() const {
    Prices prices = Prices::none(problem_, buckets_);
    for (std::size_t kind = 0; kind < device_rows_.size(); ++kind)
      for (std::size_t b = 0; b < device_rows_[kind].size(); ++b)
        prices.device[kind][b] = price(device_rows_[kind][b], units_.time);
    for (std::size_t b = 0; b < power_rows_.size(); ++b)
      prices.power[b] = price(power_rows_[b], units_.time * units_.power);
    if (budget_row_ >= 0) prices.budget = price(budget_row_, units_.energy);
    return prices;
  }

  // Adds the best begin of each option that is better than what the program has; returns what the
  // job pays at least.
  double add_columns(std::size_t row, const PriceList& list, bool& complete) {
    constexpr double kWorthIt = 1e-7;
    const JobToPlace& work = problem_.jobs[sample_[row]];
    const double now = solution_.row_prices[row];  // in units
    double least = kForever;
    for (const Option& option : work.options) {
      const Offer offer = list.cheapest(work, option);
      least = std::min(least, offer.pay);
      if (offer.pay / units_.cost >= now - kWorthIt * std::max(1., std::abs(now))) continue;
      add_column(row, option, offer.begin);
      complete = false;
    }
    return least;
  }

  const Problem& problem_;
  const Buckets& buckets_;
  const Units units_;
  const std::vector<std::size_t> sample_;
  const double weight_;  // jobs that one of the sample stands for
  std::unique_ptr<LinearProgram> program_;
  std::vector<std::vector<int>> device_rows_;  // by kind and bucket; none where devices abound
  std::vector<int> power_rows_;                // by bucket; none without a cap
  int budget_row_ = -1;
  std::vector<LpEntry> entries_;
  LpSolution solution_;
};

}  // namespace

Prices find_prices(const Problem& problem, const Buckets& buckets, Seconds time, StopToken stop) {
  const Stopwatch watch;
  Prices best = Prices::none(problem, buckets);
  double best_bound = -kForever;
  Master master(problem, buckets, stop);
  for (int i = 0; i < kMostRounds && watch.elapsed() < time; ++i) {
    Master::Round round = master.round();
    if (round.bound > best_bound) best = std::move(round.prices);
    best_bound = std::max(best_bound, round.bound);
    const double distance = master.value() - best_bound;
    if (round.complete || distance <= kCloseEnough * std::abs(master.value())) break;
    stop.throw_if_stopped();
  }
  if (problem.shortest || buckets.size() == 1) return best;
  return polish_prices(problem, buckets, std::move(best), polish_steps(problem), stop);
}

}  // namespace ampere
