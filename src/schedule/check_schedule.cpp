#include "schedule/check_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr double kTolerance = 1e-9;

bool above(double value, double limit) { return value > limit + kTolerance * std::abs(limit); }
bool differ(double a, double b) {
  return std::abs(a - b) > kTolerance * std::max({1., std::abs(a), std::abs(b)});
}

// A change of something at a moment. What ends at a moment ends before what begins at it.
struct Change {
  double at = 0, amount = 0;
  std::size_t job = 0;
  friend bool operator<(const Change& a, const Change& b) {
    return std::pair(a.at, a.amount) < std::pair(b.at, b.amount);
  }
};

class Checker {
 public:
  Checker(const Task& task, const Schedule& schedule) : task_(task), schedule_(schedule) {}

  std::vector<std::string> faults() {
    if (!one_placement_per_job()) return faults_;
    for (const Placement& placement : schedule_.placements) check_alone(placement);
    if (!faults_.empty()) return faults_;
    check_devices();
    check_cap();
    check_sums();
    return faults_;
  }

 private:
  template <class... Values>
  void fault(fmt::format_string<Values...> text, Values&&... values) {
    faults_.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  const Job& job_of(const Placement& placement) const { return task_.jobs[placement.job]; }
  const Choice& choice_of(const Placement& placement) const {
    return job_of(placement).choices[placement.choice];
  }

  bool one_placement_per_job() {
    if (schedule_.placements.size() != task_.jobs.size())
      fault("{} jobs have {} placements", task_.jobs.size(), schedule_.placements.size());
    for (std::size_t i = 0; i < schedule_.placements.size() && faults_.empty(); ++i) {
      const Placement& placement = schedule_.placements[i];
      if (placement.job != i)
        fault("placement {} is of job {}", i, placement.job);
      else if (placement.choice >= job_of(placement).choices.size())
        fault("job '{}' has no choice {}", job_of(placement).name, placement.choice);
    }
    return faults_.empty();
  }

  void check_alone(const Placement& placement) {
    const Job& job = job_of(placement);
    const Choice& choice = choice_of(placement);
    const double begin = placement.begin.count(), end = placement.end.count();
    if (!std::isfinite(begin) || !std::isfinite(end))
      return fault("job '{}' begins at {} s and ends at {} s", job.name, begin, end);
    if (begin < 0) fault("job '{}' begins {} s before now", job.name, -begin);
    if (differ(end - begin, choice.time_most.count()) &&
        differ(begin + choice.time_most.count(), end))
      fault("job '{}' takes {} s, not {} s", job.name, end - begin, choice.time_most.count());
    if (job.begin_after && above(job.begin_after->count(), begin))
      fault("job '{}' begins at {} s, not after {} s", job.name, begin, job.begin_after->count());
    if (job.deadline && above(end, job.deadline->count()))
      fault("job '{}' ends at {} s, after its deadline of {} s", job.name, end,
            job.deadline->count());
    if (job.budget && above(choice.energy_most.value, job.budget->value))
      fault("job '{}' may use {} J, more than its budget of {} J", job.name,
            choice.energy_most.value, job.budget->value);
    const DeviceKind& kind = task_.kinds[choice.kind];
    if (placement.device < 0 || placement.device >= kind.count)
      fault("job '{}' is on device {} of '{}', which has {}", job.name, placement.device, kind.name,
            kind.count);
  }

  // On every device, one run ends before the next one begins.
  void check_devices() {
    std::vector<const Placement*> runs;
    for (const Placement& placement : schedule_.placements) runs.push_back(&placement);
    const auto key = [&](const Placement* run) {
      return std::tuple(choice_of(*run).kind, run->device, run->begin);
    };
    std::ranges::sort(runs, {}, key);
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const Placement &first = *runs[i - 1], &second = *runs[i];
      const std::size_t kind = choice_of(first).kind;
      if (kind != choice_of(second).kind || first.device != second.device) continue;
      if (above(first.end.count(), second.begin.count()))
        fault("jobs '{}' and '{}' are on device {} of '{}' at once, at {} s", job_of(first).name,
              job_of(second).name, first.device, task_.kinds[kind].name, second.begin.count());
    }
  }

  // The power changes only where a run begins or ends.
  void check_cap() {
    if (!task_.cap) return;
    std::vector<Change> changes;
    for (const Placement& placement : schedule_.placements) {
      const double power = choice_of(placement).power_most.value;
      changes.push_back({placement.begin.count(), power, placement.job});
      changes.push_back({placement.end.count(), -power, placement.job});
    }
    std::ranges::sort(changes, [](const Change& a, const Change& b) { return a < b; });
    long double power = 0;
    for (const Change& change : changes) {
      power += change.amount;
      if (change.amount <= 0 || !above(static_cast<double>(power), task_.cap->value)) continue;
      return fault("at {} s, when job '{}' begins, {} W may be drawn, more than the cap of {} W",
                   change.at, task_.jobs[change.job].name, static_cast<double>(power),
                   task_.cap->value);
    }
  }

  // The integral of the forecast, piece by piece, instead of by differences.
  double forecast_cost(const Placement& placement) const {
    const Forecast& forecast = *task_.forecast;
    const double begin = placement.begin.count(), end = placement.end.count();
    double cost = 0;
    for (std::size_t i = 0; i < forecast.from.size(); ++i) {
      const double from = std::max(begin, forecast.from[i].count());
      const double until =
          i + 1 < forecast.from.size() ? std::min(end, forecast.from[i + 1].count()) : end;
      if (until > from) cost += (until - from) * forecast.per_kwh[i];
    }
    return cost / (end - begin) * choice_of(placement).energy.value / 3.6e6;
  }

  double value() const {
    double sum = 0, latest = 0;
    for (const Placement& placement : schedule_.placements) {
      latest = std::max(latest, placement.end.count());
      if (task_.objective == Objective::energy)
        sum += choice_of(placement).energy.value;
      else if (task_.objective != Objective::time)
        sum += forecast_cost(placement);
    }
    return task_.objective == Objective::time ? latest : sum;
  }

  void check_sums() {
    double energy = 0, energy_most = 0, end = 0;
    for (const Placement& placement : schedule_.placements) {
      energy += choice_of(placement).energy.value;
      energy_most += choice_of(placement).energy_most.value;
      end = std::max(end, placement.end.count());
    }
    if (differ(energy, schedule_.energy.value))
      fault("the energies add up to {} J, not {} J", energy, schedule_.energy.value);
    if (differ(energy_most, schedule_.energy_most.value))
      fault("the highest energies add up to {} J, not {} J", energy_most,
            schedule_.energy_most.value);
    if (differ(end, schedule_.end.count()))
      fault("the last job ends at {} s, not {} s", end, schedule_.end.count());
    if (task_.budget && above(energy_most, task_.budget->value))
      fault("the jobs may use {} J, more than the budget of {} J", energy_most,
            task_.budget->value);
    if (const double right = value(); differ(right, schedule_.value))
      fault("the objective is {}, not {}", right, schedule_.value);
    if (!(schedule_.bound <= schedule_.value))
      fault("the bound of {} is above the value of {}", schedule_.bound, schedule_.value);
  }

  const Task& task_;
  const Schedule& schedule_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> check_schedule(const Task& task, const Schedule& schedule) {
  return Checker(task, schedule).faults();
}

}  // namespace ampere
