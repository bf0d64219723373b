// How long a schedule takes, how much memory, and how far it is from the bound:
//   schedule_bench [JOBS [DEVICES [KINDS]]]
// Three random tasks with deadlines, a power cap and an energy budget: least energy, earliest end,
// least carbon by a forecast of 48 hours.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>

#include "base/stopwatch.h"
#include "schedule/check_schedule.h"
#include "schedule/random_task.h"

namespace ampere {
namespace {

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

bool run(const testing_support::TaskShape& shape) {
  const Task task = random_task(shape, 1);
  const Stopwatch watch;
  const Schedule schedule = make_schedule(task);
  const double seconds = watch.elapsed().count();
  const std::vector<std::string> faults = check_schedule(task, schedule);
  fmt::print("{:8} {:7} jobs: {:6.1f} s, peak {} MB so far, gap {:.2f} %\n",
             to_string(task.objective), task.jobs.size(), seconds, peak_megabytes(),
             100 * schedule.gap());
  for (const std::string& fault : faults) fmt::print("fault: {}\n", fault);
  return faults.empty();
}

int run_all(std::size_t jobs, std::int64_t devices, std::size_t kinds) {
  testing_support::TaskShape shape{
      .jobs = jobs, .kinds = kinds, .devices = devices / static_cast<std::int64_t>(kinds)};
  shape.deadlines = shape.cap = shape.budget = true;
  bool good = run(shape);
  shape.forecast = true;
  shape.objective = Objective::carbon;
  shape.start = Start::best;
  good = run(shape) && good;
  shape.objective = Objective::time;
  shape.start = Start::earliest;
  good = run(shape) && good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace ampere

int main(int count, char** values) {
  const auto number = [&](int index, long otherwise) {
    return count > index ? std::strtol(values[index], nullptr, 10) : otherwise;
  };
  return ampere::run_all(static_cast<std::size_t>(number(1, 100'000)), number(2, 10'000),
                         static_cast<std::size_t>(number(3, 12)));
}
