// What measuring a network gives, and how precisely it was asked for.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/meter.h"
#include "ampere/train.h"
#include "ampere/units.h"

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
  std::optional<double> standard_error = {};  // of the mean; unknown from a single window
  // Degrees of freedom of the standard error; infinite where it was not estimated from windows.
  double degrees = std::numeric_limits<double>::infinity();
};

// The standard error, or the mean itself where the error is unknown: a measurement must not count
// as certain because it has too few windows.
double assumed_error(const Statistic& statistic);

// The true mean is below this with the given probability, by Student's t. Infinite where the
// standard error is unknown.
double upper_bound(const Statistic& statistic, double probability);

struct Measurement {
  std::vector<Window> windows;  // as taken, rejected ones included
  Statistic energy_j;           // per iteration, over the windows that count
  Statistic time_s;             // per iteration
  Source source = Source::measured;
  Seconds elapsed{};               // all of it: preparing, warming up, windows
  std::vector<std::string> notes;  // "precision not reached in 10 s: 3.1 %"
};

std::int64_t counted_windows(const Measurement& measurement);

// Means and standard errors of the windows that count. Throws Error(failed) when none does.
void summarize(Measurement& measurement);

struct Timing {
  double device_s = 0;  // a step, with the device never waiting for the host
  // Handing a step to the device. Absent where the device is the host itself: then all of it is in
  // device_s.
  std::optional<double> host_s;
  Seconds elapsed{};  // all of it: building, warming up, timing
};

// Two networks trained by turns of some hundredths of a second: what slows the host down for a
// while slows both, so that their ratio is steady where neither time is.
struct Pace {
  double time_s = 0, reference_s = 0;  // an iteration of each
  std::string reference = {};          // hash of the other one's model, where it is known
  Seconds elapsed{};
};

// Whether both networks have a time: without, a pace says nothing of the host.
bool has_times(const Pace& pace);

// The time of an iteration with the reference at its usual time. A network that waits for the host
// takes as much longer than usual as the reference beside it does; one that waits for the device
// does not. `device_s` is the network's, where it is known; on a synchronous device it is not. The
// pace must have times.
double steady_time_s(const Pace& pace, double usual_reference_s, std::optional<double> device_s);

// How much longer than usual a host takes that needed these times for the reference lately: the
// last few foretell the next one best. Throws nothing; 1 without any.
inline constexpr std::size_t kLatestPaces = 4;
double slowdown_by(std::span<const double> latest_s, double usual_s);

}  // namespace ampere
