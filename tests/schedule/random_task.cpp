#include "schedule/random_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ampere::testing_support {
namespace {

class Draw {
 public:
  Draw(const TaskShape& shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  Task task() {
    Task task;
    task.objective = shape_.objective;
    task.start = shape_.start;
    draw_kinds(task);
    for (std::size_t i = 0; i < shape_.jobs; ++i) draw_job(task);
    // How long it would take if all devices were always busy with jobs of average length.
    double work = 0, devices = 0;
    for (const Job& job : task.jobs) work += job.choices.front().time_most.count();
    for (const DeviceKind& kind : task.kinds) devices += static_cast<double>(kind.count);
    const double span = work / devices;
    if (shape_.releases) add_releases(task, span);
    if (shape_.deadlines) add_deadlines(task, span);
    if (shape_.cap) add_cap(task);
    if (shape_.budget) add_budget(task);
    if (shape_.forecast) add_forecast(task, span);
    return task;
  }

 private:
  double between(double low, double high) {
    // Not std::uniform_real_distribution, whose numbers differ between libraries.
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }

  void draw_kinds(Task& task) {
    for (std::size_t i = 0; i < shape_.kinds; ++i) {
      const double count = static_cast<double>(shape_.devices) * between(0.5, 1.5);
      task.kinds.push_back(
          {fmt::format("kind{}", i), std::max<std::int64_t>(1, std::llround(count))});
      speed_.push_back(between(0.5, 4));
      watts_.push_back(std::pow(speed_.back(), between(0.7, 1.6)) * 50);
    }
  }

  void draw_job(Task& task) {
    Job job;
    job.name = fmt::format("job{}", task.jobs.size());
    const double size = std::exp(between(std::log(600.), std::log(14400.)));
    for (std::size_t k = 0; k < shape_.kinds; ++k) {
      if (!job.choices.empty() && between(0, 1) < 0.2) continue;
      const double time = size / speed_[k] * between(0.7, 1.4);
      const double power = watts_[k] * between(0.8, 1.2);
      const double most = between(1.02, 1.15);
      Choice choice;
      choice.kind = k;
      choice.time = Seconds{time};
      choice.time_most = Seconds{time * most};
      choice.energy = Joules{time * power};
      choice.energy_most = Joules{time * power * most * 1.05};
      choice.power_most = Watts{power * 1.2};
      job.choices.push_back(choice);
    }
    task.jobs.push_back(std::move(job));
  }

  void add_releases(Task& task, double span) {
    for (Job& job : task.jobs)
      if (between(0, 1) < 0.4) job.begin_after = Seconds{between(0, span / 2)};
  }

  void add_deadlines(Task& task, double span) {
    for (Job& job : task.jobs) {
      if (between(0, 1) < 0.5) continue;
      double longest = 0;
      for (const Choice& choice : job.choices)
        longest = std::max(longest, choice.time_most.count());
      job.deadline = job.begin_after.value_or(Seconds{0}) +
                     Seconds{longest * between(1, 1.5) + span * between(0.8, 2)};
    }
  }

  void add_cap(Task& task) {
    double all = 0, most = 0;
    for (std::size_t k = 0; k < task.kinds.size(); ++k)
      all += static_cast<double>(task.kinds[k].count) * watts_[k];
    for (const Job& job : task.jobs)
      for (const Choice& choice : job.choices) most = std::max(most, choice.power_most.value);
    task.cap = Watts{std::max(most, 0.6 * all)};
  }

  void add_budget(Task& task) {
    double least = 0, fastest = 0;
    for (const Job& job : task.jobs) {
      least += std::ranges::min(job.choices, {}, &Choice::energy_most).energy_most.value;
      fastest += std::ranges::min(job.choices, {}, &Choice::time_most).energy_most.value;
    }
    task.budget = Joules{least + 0.5 * std::max(0., fastest - least) + 0.02 * least};
  }

  void add_forecast(Task& task, double span) {
    constexpr int kHours = 48;
    Forecast forecast;
    forecast.unit = "gCO2/kWh";
    for (int i = 0; i < kHours; ++i) {
      forecast.from.push_back(Seconds{2 * span * i / kHours});
      forecast.per_kwh.push_back(300 + 150 * std::sin(i * 2 * 3.14159265 / 24) + between(-40, 40));
    }
    task.forecast = forecast;
  }

  const TaskShape& shape_;
  std::mt19937_64 random_;
  std::vector<double> speed_, watts_;  // per kind
};

}  // namespace

Task random_task(const TaskShape& shape, std::uint64_t seed) { return Draw(shape, seed).task(); }

}  // namespace ampere::testing_support
