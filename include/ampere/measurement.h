// What measuring a network gives, and how precisely it was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/meter.h"
#include "ampere/train.h"

namespace ampere {

struct Precision {
  double relative_error = 0.02;  // standard error of energy per iteration over its mean
  Seconds time_limit{10};        // for one network, warm-up included
  Seconds min_window{0.25};      // and at least so many periods of a meter that moves in steps:
  int min_periods = 5;           // twice as many where an iteration is longer than one
  int min_windows = 3;
  std::int64_t min_iterations = 0;  // go on until the windows hold this many, past the time limit
};

struct Window {
  std::int64_t iterations = 0;
  Seconds time{};
  Joules energy{};
  std::optional<double> cpu_s;    // processor time used by this process
  std::optional<double> steal_s;  // processor time the hypervisor gave to others
  MeterState state;
  std::string rejected;  // the reason, when the window does not count; empty when it does
  // What disturbed a window that counts nevertheless, because every window of its measurement was
  // disturbed; otherwise empty.
  std::string disturbed;
};

struct Statistic {
  double mean = 0;
  double standard_error = 0;
};

struct Measurement {
  std::vector<Window> windows;  // as taken, rejected ones included
  Statistic energy_j;           // per iteration, over the windows that count
  Statistic time_s;             // per iteration
  Source source = Source::measured;
  Seconds elapsed{};               // all of it: preparing, warming up, windows
  std::vector<std::string> notes;  // "precision not reached in 10 s: 3.1 %"
};

// Means and standard errors of the windows that count. Throws Error(failed) when none does.
void summarize(Measurement& measurement);

}  // namespace ampere
