#include "schedule/plan.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace ampere {
namespace {

template <class Item>
using SmallestFirst = std::priority_queue<Item, std::vector<Item>, std::greater<>>;

// The devices of one kind. Taking them in the order of their begins, runs that overlap at most
// `count` times at any moment need no more than `count` devices.
class Devices {
 public:
  std::int64_t take(double begin, double end) {
    while (!busy_.empty() && busy_.top().first <= begin) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    std::int64_t device = fresh_;
    if (free_.empty()) {
      ++fresh_;
    } else {
      device = free_.top();
      free_.pop();
    }
    busy_.emplace(end, device);
    return device;
  }

 private:
  SmallestFirst<std::pair<double, std::int64_t>> busy_;  // until when, and which
  SmallestFirst<std::int64_t> free_;                     // used before
  std::int64_t fresh_ = 0;                               // the first that was never used
};

void place(const Problem& problem, const Plan& plan, std::vector<Placement>& placements) {
  std::vector<std::size_t> by_begin(plan.size());
  std::iota(by_begin.begin(), by_begin.end(), std::size_t{0});
  std::ranges::stable_sort(by_begin, {}, [&](std::size_t job) { return plan[job].begin; });
  std::vector<Devices> devices(problem.devices.size());
  for (const std::size_t job : by_begin) {
    const Option& option = option_of(problem, plan, job);
    const double begin = plan[job].begin, end = begin + option.time;
    placements[job] = {job, option.choice, devices[option.kind].take(begin, end), Seconds{begin},
                       Seconds{end}};
  }
}

Joules energy_on_fastest(const Problem& problem) {
  double energy = 0;
  for (const JobToPlace& work : problem.jobs)
    energy += std::ranges::min_element(work.options, {}, &Option::time)->energy;
  return {energy};
}

}  // namespace

double value_of(const Problem& problem, const Plan& plan) {
  double value = 0;
  for (std::size_t job = 0; job < plan.size(); ++job) {
    const Option& option = option_of(problem, plan, job);
    if (problem.shortest)
      value = std::max(value, plan[job].begin + option.time);
    else
      value += problem.cost(option, plan[job].begin);
  }
  return value;
}

Schedule finish_schedule(const Task& task, const Problem& problem, const Plan& plan, double bound) {
  Schedule schedule;
  schedule.placements.resize(task.jobs.size());
  place(problem, plan, schedule.placements);
  schedule.value = value_of(problem, plan);
  schedule.bound = std::min(bound, schedule.value);
  for (std::size_t job = 0; job < plan.size(); ++job) {
    const Option& option = option_of(problem, plan, job);
    schedule.energy.value += option.energy;
    schedule.energy_most.value += option.energy_most;
    schedule.end = std::max(schedule.end, schedule.placements[job].end);
  }
  schedule.energy_on_fastest = energy_on_fastest(problem);
  return schedule;
}

}  // namespace ampere
