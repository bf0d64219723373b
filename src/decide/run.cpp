#include <fmt/format.h>

#include <cmath>

#include "ampere/decide.h"
#include "setup/asked_setup.h"

namespace ampere {
namespace {

Interval times(const Interval& one, double factor) {
  return {one.mean * factor, one.low * factor, one.high * factor, one.confidence};
}

Interval exactly(double value, double confidence) { return {value, value, value, confidence}; }

void add(Interval& sum, const Interval& more) {
  sum.mean += more.mean;
  sum.low += more.low;
  sum.high += more.high;
}

std::string percent_text(double share) { return fmt::format("{:.3g} %", 100 * share); }

void check(const RunTask& task) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::usage, why); };
  if (task.samples < 1) refuse("a run needs at least one sample");
  if (task.epochs < 1) refuse("a run needs at least one epoch");
  if (task.samples > kMostIterations / task.epochs)
    refuse(fmt::format("{} epochs of {} samples are too many", task.epochs, task.samples));
  if (task.validation_samples < 0 || task.trials < 0) refuse("a number of samples is negative");
  if (task.validate.count < 1 || (task.checkpoints && task.checkpoints->count < 1))
    refuse("what happens every 0 epochs or iterations never does");
  if (!(task.validation_share > 0 && task.validation_share <= 1))
    refuse("the share of a sample in validation is not between 0 and 1");
  if (!(task.trial_share > 0 && task.trial_share <= 1))
    refuse("the share of the epochs per trial is not between 0 and 1");
  for (const Seconds time : {task.checkpoint_time, task.loading, task.warm_up, task.compiling})
    if (!(std::isfinite(time.count()) && time.count() >= 0))
      refuse("a time that the device waits is negative or not finite");
}

std::int64_t occurrences(const Every& every, std::int64_t epochs, std::int64_t iterations) {
  return (every.epochs ? epochs : iterations) / every.count;
}

// Stages of one run, and of the trials before it.
class Composer {
 public:
  Composer(const RunTask& task, const Estimate& iteration, std::int64_t samples_per_iteration,
           const std::optional<Watts>& waiting_power)
      : task_(task), energy_(*iteration.energy_j), time_(*iteration.time_s) {
    run_.samples_per_iteration = samples_per_iteration;
    run_.iterations =
        task.epochs * ((task.samples + samples_per_iteration - 1) / samples_per_iteration);
    find_waiting_power(waiting_power);
  }

  TrainingRun run() {
    add_training();
    add_validation();
    add_waits();
    add_search();
    run_.energy_j = run_.time_s = exactly(0, task_.confidence);
    for (const RunStage& stage : run_.stages) {
      add(run_.energy_j, stage.energy_j);
      add(run_.time_s, stage.time_s);
    }
    return std::move(run_);
  }

 private:
  void find_waiting_power(const std::optional<Watts>& of_profile) {
    const bool waits = (task_.checkpoints && task_.checkpoint_time.count() > 0) ||
                       task_.loading.count() > 0 || task_.warm_up.count() > 0 ||
                       task_.compiling.count() > 0;
    if (!waits) return;
    if (task_.waiting_power) {
      run_.waiting_power = task_.waiting_power;
      run_.waiting_basis = Basis::assumed;
    } else if (of_profile) {
      run_.waiting_power = of_profile;
    } else {
      throw Error(ErrorCode::unknown,
                  "the device waits in this run, and the profile does not say at which power");
    }
  }

  void add_training() {
    const auto count = static_cast<double>(run_.iterations);
    run_.stages.push_back({.name = "training",
                           .count = count,
                           .energy_j = times(energy_, count),
                           .time_s = times(time_, count)});
  }

  void add_validation() {
    if (task_.validation_samples == 0) return;
    const auto count =
        static_cast<double>(occurrences(task_.validate, task_.epochs, run_.iterations));
    if (count == 0) return;
    const double iterations = count * static_cast<double>(task_.validation_samples) /
                              static_cast<double>(run_.samples_per_iteration) *
                              task_.validation_share;
    run_.stages.push_back(
        {.name = "validation",
         .basis = Basis::assumed,
         .assumption = fmt::format("a sample takes {} of what it takes in training",
                                   percent_text(task_.validation_share)),
         .count = count,
         .energy_j = times(energy_, iterations),
         .time_s = times(time_, iterations)});
  }

  void add_wait(const char* name, double count, Seconds each, const char* what) {
    if (count == 0 || each.count() == 0) return;
    const double time_s = count * each.count();
    run_.stages.push_back(
        {.name = name,
         .basis = Basis::assumed,
         .assumption = fmt::format("{:.3g} s {}, while the device waits at {:.3g} W{}",
                                   each.count(), what, run_.waiting_power->value,
                                   run_.waiting_basis == Basis::assumed ? ", assumed too" : ""),
         .count = count,
         .energy_j = exactly(run_.waiting_power->value * time_s, task_.confidence),
         .time_s = exactly(time_s, task_.confidence)});
  }

  void add_waits() {
    if (task_.checkpoints)
      add_wait("checkpoints",
               static_cast<double>(occurrences(*task_.checkpoints, task_.epochs, run_.iterations)),
               task_.checkpoint_time, "each");
    add_wait("data loading", static_cast<double>(run_.iterations), task_.loading, "per iteration");
    body_ = run_.stages.size();
    add_wait("warm-up", 1, task_.warm_up, "per run");
    add_wait("compiling", 1, task_.compiling, "per run");
  }

  // A trial is a shorter run, with all that a run has.
  void add_search() {
    if (task_.trials == 0) return;
    const auto trials = static_cast<double>(task_.trials);
    RunStage search{.name = "search",
                    .basis = Basis::estimated,
                    .assumption = {},
                    .count = trials,
                    .energy_j = exactly(0, task_.confidence),
                    .time_s = exactly(0, task_.confidence)};
    for (std::size_t i = 0; i < run_.stages.size(); ++i) {
      const RunStage& stage = run_.stages[i];
      const double factor = trials * (i < body_ ? task_.trial_share : 1);
      add(search.energy_j, times(stage.energy_j, factor));
      add(search.time_s, times(stage.time_s, factor));
      if (stage.basis == Basis::assumed) search.basis = Basis::assumed;
    }
    search.assumption = fmt::format("one trial after the other, each {} of the epochs of the run",
                                    percent_text(task_.trial_share));
    run_.stages.insert(run_.stages.begin(), std::move(search));
  }

  const RunTask& task_;
  Interval energy_, time_;  // of one iteration
  std::size_t body_ = 0;    // the stages before this one grow with the epochs
  TrainingRun run_;
};

}  // namespace

TrainingRun compose_run(const RunTask& task, const Estimate& iteration,
                        std::int64_t samples_per_iteration,
                        const std::optional<Watts>& waiting_power) {
  check(task);
  return Composer(task, iteration, samples_per_iteration, waiting_power).run();
}

}  // namespace ampere
