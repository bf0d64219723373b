#include "schedule/construct.h"

#include <algorithm>
#include <numeric>

namespace ampere {
namespace {

// The difference between the two options that pay least.
double loss(const JobToPlace& work, const PriceList& prices) {
  double first = kForever, second = kForever;
  for (const Option& option : work.options) {
    const double pay = prices.cheapest(work, option).pay;
    second = std::min(second, std::max(first, pay));
    first = std::min(first, pay);
  }
  return second == kForever ? kForever : second - first;
}

std::vector<std::size_t> sorted_jobs(const Problem& problem, const PriceList& prices, Order order) {
  std::vector<std::pair<double, double>> keys;
  for (const JobToPlace& work : problem.jobs) {
    const double time = std::ranges::min_element(work.options, {}, &Option::time)->time;
    if (order == Order::deadline)
      keys.emplace_back(work.due, -time);
    else if (order == Order::length)
      keys.emplace_back(-time, work.due);
    else
      keys.emplace_back(-loss(work, prices), work.due);
  }
  std::vector<std::size_t> jobs(problem.jobs.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  std::ranges::stable_sort(jobs, {}, [&](std::size_t job) { return keys[job]; });
  return jobs;
}

}  // namespace

ConstructedSchedule construct(const Problem& problem, const PriceList& prices, const Rules& rules,
                              Order order, int repeats, StopToken stop) {
  std::vector<std::size_t> jobs = sorted_jobs(problem, prices, order);
  std::size_t stuck = 0;
  for (int i = 0; i <= repeats; ++i) {
    Builder builder(problem, rules);
    auto next = jobs.begin();
    for (; next != jobs.end(); ++next) {
      if ((next - jobs.begin()) % 1024 == 0) stop.throw_if_stopped();
      if (!builder.insert(*next, prices)) break;
    }
    if (next == jobs.end()) return {builder.plan(), 0};
    stuck = *next;
    std::rotate(jobs.begin(), next, next + 1);
  }
  return {std::nullopt, stuck};
}

// In the order of their begins, each job finds its old place free: the jobs before it only moved
// away from it.
Plan begin_early(const Problem& problem, const Plan& plan) {
  std::vector<std::size_t> jobs(plan.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  std::ranges::stable_sort(jobs, {}, [&](std::size_t job) { return plan[job].begin; });
  Timetable timetable(problem);
  Plan early = plan;
  for (const std::size_t job : jobs) {
    const Option& option = option_of(problem, plan, job);
    early[job].begin =
        std::min(plan[job].begin, timetable.first_fit(option, problem.jobs[job].release));
    timetable.add(option, early[job].begin);
  }
  return early;
}

}  // namespace ampere
