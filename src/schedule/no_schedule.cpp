#include "schedule/no_schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/amounts.h"
#include "schedule/search.h"

namespace ampere {
namespace {

class Diagnosis {
 public:
  Diagnosis(const Task& task, const Problem& problem, std::size_t stuck, StopToken stop)
      : task_(task), problem_(problem), stuck_(stuck), stop_(stop) {}

  std::string text() const {
    if (const auto energy = budget_needed())
      return fmt::format(
          "the energy budget of {:.6g} J is too small together with the other limits: job "
          "'{}' found no place inside it; a budget of {:.6g} J would fit",
          problem_.budget, name(), *energy);
    const JobToPlace& work = problem_.jobs[stuck_];
    std::string text = fmt::format(
        "job '{}' cannot end by its deadline, {} from now: the devices it may use "
        "are not free for long enough before",
        name(), duration_text(Seconds(work.due)));
    if (const auto power = cap_needed())
      return text + fmt::format(" under the power cap of {:.6g} W; a cap of {:.6g} W would fit",
                                problem_.cap, *power);
    if (const auto end = deadline_needed())
      return text + fmt::format("; a deadline of {:.6g} s would fit", *end);
    return text + late_jobs();
  }

 private:
  const std::string& name() const { return task_.jobs[stuck_].name; }

  // Any plan for a problem with fewer limits; the cheapest search is for joules at most.
  std::optional<Plan> plan_for(const Problem& relaxed) const {
    const Buckets buckets{0.};
    const PriceList costs(relaxed, buckets, Prices::none(relaxed, buckets));
    for (const Order order : {Order::deadline, Order::length})
      if (ConstructedSchedule attempt = construct(relaxed, costs, {}, order, 20, stop_);
          attempt.plan)
        return attempt.plan;
    return std::nullopt;
  }

  std::optional<double> budget_needed() const {
    if (problem_.budget == kForever) return std::nullopt;
    Problem relaxed = problem_;
    relaxed.budget = kForever;
    relaxed.by_forecast = relaxed.shortest = false;
    const auto plan = plan_for(relaxed);
    if (!plan) return std::nullopt;
    double energy = 0;
    for (std::size_t job = 0; job < plan->size(); ++job)
      energy += option_of(relaxed, *plan, job).energy_most;
    return energy;
  }

  std::optional<double> cap_needed() const {
    if (problem_.cap == kForever) return std::nullopt;
    Problem relaxed = problem_;
    relaxed.cap = kForever;
    const auto plan = plan_for(relaxed);
    if (!plan) return std::nullopt;
    std::vector<std::pair<double, double>> changes;
    for (std::size_t job = 0; job < plan->size(); ++job) {
      const Option& option = option_of(relaxed, *plan, job);
      changes.emplace_back((*plan)[job].begin, option.power);
      changes.emplace_back((*plan)[job].begin + option.time, -option.power);
    }
    std::ranges::sort(changes);
    double power = 0, highest = 0;
    for (const auto& [at, change] : changes) highest = std::max(highest, power += change);
    return highest;
  }

  std::optional<double> deadline_needed() const {
    Problem relaxed = problem_;
    relaxed.jobs[stuck_].due = kForever;
    const auto plan = plan_for(relaxed);
    if (!plan) return std::nullopt;
    return (*plan)[stuck_].begin + option_of(relaxed, *plan, stuck_).time;
  }

  std::string late_jobs() const {
    Problem relaxed = problem_;
    for (JobToPlace& work : relaxed.jobs) work.due = kForever;
    const auto plan = plan_for(relaxed);
    if (!plan) return "";
    std::size_t late = 0;
    for (std::size_t job = 0; job < plan->size(); ++job)
      if (!problem_.jobs[job].in_time((*plan)[job].begin, option_of(relaxed, *plan, job))) ++late;
    const double end = (*plan)[stuck_].begin + option_of(relaxed, *plan, stuck_).time;
    return fmt::format(
        "; without deadlines it would end {} from now, and {} of {} jobs would miss "
        "theirs: more devices or later deadlines are needed",
        duration_text(Seconds(end)), late, plan->size());
  }

  const Task& task_;
  const Problem& problem_;
  const std::size_t stuck_;
  StopToken stop_;
};

}  // namespace

Error no_schedule(const Task& task, const Problem& problem, std::size_t stuck, StopToken stop) {
  return {ErrorCode::failed, Diagnosis(task, problem, stuck, stop).text()};
}

}  // namespace ampere
