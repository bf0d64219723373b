// Which kind of device each job runs on, and when it starts. Pure: no files, no clock, no cluster.
//
// All times are seconds from now. A job occupies one device for the longest time it may take
// (`time_most`), at the highest power it may draw (`power_most`); so deadlines, the number of
// devices and the power cap hold whatever happens inside the estimates. Budgets are kept by
// `energy_most`. The objective adds up the expected energies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ampere/progress.h"
#include "ampere/units.h"
#include "forecast/forecast.h"

namespace ampere {

struct DeviceKind {
  std::string name;
  std::int64_t count = 1;  // devices of this kind; one job at a time on each
};

// One job on one kind of device.
struct Choice {
  std::size_t kind = 0;         // index into Task::kinds
  Joules energy, energy_most;   // expected, and at most
  Seconds time{}, time_most{};  // expected, and at most; positive
  Watts power_most;             // at any moment of the run
};

struct Job {
  std::string name;
  std::vector<Choice> choices;  // at least one, at most one per kind
  std::optional<Seconds> begin_after, deadline;
  std::optional<Joules> budget;  // of this job alone
};

// energy: expected joules. time: when the last job ends, by the longest times. carbon, price: by
// the forecast, with the expected energy of a job spread evenly over the time it occupies a device.
enum class Objective { energy, time, carbon, price };

enum class Start {
  earliest,  // as soon as devices and cap permit
  best,      // in the cheapest or cleanest hours of the forecast, inside the deadlines
};

struct Task {
  std::vector<DeviceKind> kinds;
  std::vector<Job> jobs;
  Objective objective = Objective::energy;
  Start start = Start::earliest;
  std::optional<Watts> cap;            // of all devices together, at every moment
  std::optional<Joules> budget;        // of all jobs together
  std::optional<Forecast> forecast{};  // needed for carbon and price
};

struct Placement {
  std::size_t job = 0;      // index into Task::jobs
  std::size_t choice = 0;   // index into the choices of the job
  std::int64_t device = 0;  // of its kind, counted from 0
  Seconds begin{}, end{};   // end by time_most
};

struct Schedule {
  std::vector<Placement> placements;  // one per job, in the order of the jobs
  double value = 0;  // of the objective: joules, seconds, or what the forecast counts
  // No schedule that keeps all constraints has a smaller value, whatever its start times. With
  // Start::earliest under carbon or price the gap therefore includes what waiting would save.
  double bound = 0;
  Joules energy, energy_most;  // of all jobs together
  Seconds end{};               // of the last job
  // Expected energy if every job ran on the kind that finishes it first: what one pays who does not
  // plan. Kinds that the job may not use (cap, deadline, budget) do not count.
  Joules energy_on_fastest;

  // How far the value may be above the best possible one, relative to the bound; infinite if the
  // bound is 0 and the value is not.
  double gap() const {
    if (value <= bound) return 0;
    return bound == 0 ? std::numeric_limits<double>::infinity()
                      : (value - bound) / (bound < 0 ? -bound : bound);
  }
};

// How long to search for a better schedule. Equal tasks get equal schedules unless `time` runs out,
// which ends the search with the best schedule so far.
struct SolverLimits {
  Seconds time{30};
};

// A schedule that keeps every constraint. Throws Error(usage) naming the job or field if the task
// itself makes no sense (no devices, numbers that are not finite, …), Error(failed) if no schedule
// was found: it names the job and the constraint, and says what would fit; Error(interrupted).
Schedule make_schedule(const Task& task, const SolverLimits& limits = {}, StopToken stop = {});

const char* to_string(Objective objective);          // "energy", "time", "carbon", "price"
Objective parse_objective(const std::string& text);  // throws Error(usage)
const char* to_string(Start start);                  // "earliest", "best"
Start parse_start(const std::string& text);          // throws Error(usage)

}  // namespace ampere
