// A task as the planner computes with it: plain numbers, and only the options that a job really
// has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "forecast/cost_curve.h"
#include "schedule/schedule.h"

namespace ampere {

constexpr double kForever = std::numeric_limits<double>::infinity();

// Sums of times, powers and energies may exceed a limit by this share: it covers rounding, as of
// three jobs of 0.1 s before a deadline of 0.3 s.
constexpr double kSlack = 1e-9;
inline double with_slack(double limit) { return limit + kSlack * (limit < 0 ? -limit : limit); }

struct Option {
  std::uint32_t choice = 0, kind = 0;
  std::uint32_t index = 0;     // among the options of all jobs
  double time = 0, power = 0;  // at most
  double energy = 0, energy_most = 0;
};

// One job: it runs inside [release, due].
struct JobToPlace {
  double release = 0, due = kForever;
  std::span<const Option> options;

  bool in_time(double begin, const Option& option) const {
    return begin + option.time <= with_slack(due);
  }
};

struct Problem {
  std::vector<Option> all_options;
  std::vector<JobToPlace> jobs;
  std::vector<double> devices;               // per kind
  double cap = kForever, budget = kForever;  // watts, joules
  CostCurve curve;           // of the forecast; constant where nothing depends on it
  bool by_forecast = false;  // the objective is carbon or price
  bool shortest = false;     // the objective is time

  // What the option adds to the objective if it begins then; 0 where the objective is time.
  double cost(const Option& option, double begin) const {
    if (shortest) return 0;
    if (!by_forecast) return option.energy;
    return option.energy / option.time * curve.between(begin, begin + option.time);
  }
};

// Leaves out the options that no schedule can use: kinds without devices, powers over the cap,
// energies over the job's budget, times that do not fit between begin and deadline. Throws
// Error(failed) for a job that has none left, with the reason and what would fit, and if the
// smallest energies together exceed the budget. The task must have passed check_task; the problem
// keeps no reference to it. A copy of a problem uses the options of the first one, which must
// outlive it.
Problem make_problem(const Task& task);

}  // namespace ampere
