#include "schedule/check_task.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "ampere/error.h"

namespace ampere {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::usage, what); }

// The largest number that still adds up exactly enough: 10^15 joules are 30 nuclear reactors for a
// working day, 10^15 seconds 30 million years.
constexpr double kLargest = 1e15;

void check_number(double value, double least, const std::string& where, const char* what) {
  if (!std::isfinite(value)) refuse(fmt::format("{}: {} is not a finite number", where, what));
  if (value < least) refuse(fmt::format("{}: {} is {}, less than {}", where, what, value, least));
  if (value > kLargest)
    refuse(fmt::format("{}: {} is {:g}, more than {:g}", where, what, value, kLargest));
}

void check_kinds(const std::vector<DeviceKind>& kinds) {
  constexpr std::int64_t kMostDevices = 1'000'000'000;
  if (kinds.empty()) refuse("there are no kinds of devices");
  std::set<std::string> names;
  for (const DeviceKind& kind : kinds) {
    if (kind.count < 0)
      refuse(fmt::format("device kind '{}': its count is {}, less than 0", kind.name, kind.count));
    if (kind.count > kMostDevices)
      refuse(fmt::format("device kind '{}': its count is {}, more than {}", kind.name, kind.count,
                         kMostDevices));
    if (!names.insert(kind.name).second)
      refuse(fmt::format("device kind '{}' occurs twice", kind.name));
  }
}

void check_choice(const Task& task, const Choice& choice, const std::string& job) {
  if (choice.kind >= task.kinds.size())
    refuse(fmt::format("{}: a choice is of kind {}, but there are {} kinds, counted from 0", job,
                       choice.kind, task.kinds.size()));
  const std::string where = fmt::format("{} on '{}'", job, task.kinds[choice.kind].name);
  check_number(choice.energy.value, 0, where, "the energy");
  check_number(choice.energy_most.value, 0, where, "the highest energy");
  check_number(choice.time.count(), 0, where, "the time");
  check_number(choice.time_most.count(), 0, where, "the longest time");
  check_number(choice.power_most.value, 0, where, "the highest power");
  if (choice.time_most.count() == 0) refuse(where + ": the longest time is 0");
  if (choice.energy_most < choice.energy)
    refuse(fmt::format("{}: the highest energy ({} J) is less than the expected one ({} J)", where,
                       choice.energy_most.value, choice.energy.value));
  if (choice.time_most < choice.time)
    refuse(fmt::format("{}: the longest time ({} s) is less than the expected one ({} s)", where,
                       choice.time_most.count(), choice.time.count()));
}

void check_job(const Task& task, const Job& job, std::vector<std::size_t>& kind_last_seen,
               std::size_t index) {
  const std::string where = fmt::format("job '{}'", job.name);
  if (job.choices.empty()) refuse(where + ": it has no kind of device to run on");
  for (const Choice& choice : job.choices) {
    check_choice(task, choice, where);
    if (kind_last_seen[choice.kind] == index + 1)
      refuse(fmt::format("{}: kind '{}' is among its choices twice", where,
                         task.kinds[choice.kind].name));
    kind_last_seen[choice.kind] = index + 1;
  }
  if (job.begin_after) check_number(job.begin_after->count(), 0, where, "its earliest begin");
  if (job.deadline && !std::isfinite(job.deadline->count()))
    refuse(where + ": its deadline is not a finite number");
  if (job.deadline) check_number(std::max(0., job.deadline->count()), 0, where, "its deadline");
  if (job.budget) check_number(job.budget->value, 0, where, "its budget");
}

void check_forecast(const Forecast& forecast) {
  if (forecast.from.empty()) refuse("the forecast is empty");
  if (forecast.from.size() != forecast.per_kwh.size())
    refuse(fmt::format("the forecast has {} times and {} values", forecast.from.size(),
                       forecast.per_kwh.size()));
  for (std::size_t i = 0; i < forecast.from.size(); ++i) {
    const std::string where = fmt::format("the forecast, value {}", i + 1);
    check_number(forecast.from[i].count(), 0, where, "its time");
    check_number(forecast.per_kwh[i], -kLargest, where, "its value");
    if (i == 0 && forecast.from[0].count() != 0)
      refuse(fmt::format("the forecast begins at {} s, not at 0", forecast.from[0].count()));
    if (i > 0 && forecast.from[i] <= forecast.from[i - 1])
      refuse(fmt::format("{}: its time ({} s) is not after the one before ({} s)", where,
                         forecast.from[i].count(), forecast.from[i - 1].count()));
  }
}

}  // namespace

void check_task(const Task& task) {
  check_kinds(task.kinds);
  if (task.cap) check_number(task.cap->value, 0, "the power cap", "its value");
  if (task.budget) check_number(task.budget->value, 0, "the energy budget", "its value");
  if (task.forecast) check_forecast(*task.forecast);
  const bool by_forecast =
      task.objective == Objective::carbon || task.objective == Objective::price;
  if (by_forecast && !task.forecast)
    refuse(fmt::format("the objective {} needs a forecast", to_string(task.objective)));
  if (task.jobs.empty()) refuse("there are no jobs");
  std::vector<std::size_t> kind_last_seen(task.kinds.size(), 0);
  for (std::size_t i = 0; i < task.jobs.size(); ++i)
    check_job(task, task.jobs[i], kind_last_seen, i);
}

}  // namespace ampere
