#include "schedule/exhaustive.h"

#include <algorithm>
#include <vector>

namespace ampere::testing_support {
namespace {

struct Run {
  double begin = 0, end = 0, power = 0;
  std::size_t kind = 0;
};

class Enumeration {
 public:
  explicit Enumeration(const Task& task) : task_(task), placed_(task.jobs.size(), false) {}

  std::optional<double> best() {
    place_next(0, 0, 0);
    return best_;
  }

 private:
  bool fits(const Run& run) const {
    std::vector<double> moments{run.begin};
    for (const Run& other : runs_)
      if (other.begin > run.begin && other.begin < run.end) moments.push_back(other.begin);
    return std::ranges::all_of(moments, [&](double moment) {
      double power = run.power;
      std::int64_t busy = 1;
      for (const Run& other : runs_) {
        if (moment < other.begin || moment >= other.end) continue;
        power += other.power;
        busy += other.kind == run.kind;
      }
      return busy <= task_.kinds[run.kind].count &&
             (!task_.cap || power <= task_.cap->value * (1 + 1e-9));
    });
  }

  Run earliest(const Job& job, const Choice& choice) const {
    std::vector<double> begins{job.begin_after.value_or(Seconds{0}).count()};
    for (const Run& other : runs_)
      if (other.end > begins.front()) begins.push_back(other.end);
    std::ranges::sort(begins);
    for (const double begin : begins)
      if (const Run run{begin, begin + choice.time_most.count(), choice.power_most.value,
                        choice.kind};
          fits(run))
        return run;
    return {0, std::numeric_limits<double>::infinity(), 0, 0};
  }

  void place_next(double energy, double energy_most, double end) {
    if (runs_.size() == task_.jobs.size()) {
      const double value = task_.objective == Objective::time ? end : energy;
      best_ = std::min(best_.value_or(value), value);
      return;
    }
    for (std::size_t i = 0; i < task_.jobs.size(); ++i) {
      if (placed_[i]) continue;
      placed_[i] = true;
      for (const Choice& choice : task_.jobs[i].choices)
        try_choice(task_.jobs[i], choice, energy, energy_most, end);
      placed_[i] = false;
    }
  }

  void try_choice(const Job& job, const Choice& choice, double energy, double energy_most,
                  double end) {
    energy_most += choice.energy_most.value;
    if (task_.budget && energy_most > task_.budget->value * (1 + 1e-9)) return;
    const Run run = earliest(job, choice);
    if (!(run.end <= job.deadline.value_or(Seconds{1e300}).count() * (1 + 1e-9))) return;
    runs_.push_back(run);
    place_next(energy + choice.energy.value, energy_most, std::max(end, run.end));
    runs_.pop_back();
  }

  const Task& task_;
  std::vector<bool> placed_;
  std::vector<Run> runs_;
  std::optional<double> best_;
};

}  // namespace

std::optional<double> best_value(const Task& task) { return Enumeration(task).best(); }

}  // namespace ampere::testing_support
