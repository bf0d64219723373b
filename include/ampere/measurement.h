// The result of measuring a network, and how precise it should be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/meter.h"
#include "ampere/train.h"
#include "ampere/units.h"

namespace ampere {

struct Precision {
  double relative_error = 0.02;  // of the energy per iteration: standard error over mean
  Seconds time_limit{10};        // for one network, warm-up included
  Seconds min_window{0.25};
  int min_periods = 5;  // periods of the meter per window; twice as many for long iterations
  int min_windows = 3;
  std::int64_t min_iterations = 0;  // measure this many, even beyond the time limit
  Seconds calm_within{0};  // wait for other processes to rest, at most so long; 0: do not wait
};
// For a machine that others use: waits for calm, takes more windows and more time.
Precision steadier(Precision precision);

struct Window {
  std::int64_t iterations = 0;
  Seconds time{};
  Joules energy{};
  std::optional<double> cpu_s;    // CPU time used by this process
  std::optional<double> steal_s;  // CPU time that the hypervisor gave to others
  MeterState state;
  std::string rejected;  // why the window does not count; empty when it counts
  // What disturbed a window that counts nevertheless, because every window of its measurement was
  // disturbed; otherwise empty.
  std::string disturbed;
};

// The true value is below this with the given probability, by Student's t. Infinite where the
// standard deviation is unknown.
double upper_bound(const Quantity& quantity, double probability);

struct Measurement {
  std::vector<Window> windows;  // in the order in which they were taken, rejected ones included
  Quantity energy_j;            // per iteration, over the windows that count
  Quantity time_s;              // per iteration
  Source source = Source::measured;
  Seconds elapsed{};  // in total: preparing, warming up, all windows
  // Building and compiling, which no window contains; only of what may be compiled, and only when
  // it took longer than a period of the meter.
  std::optional<Window> preparation = {};
  std::vector<std::string> notes;  // "precision not reached in 10 s: 3.1 %"
};

std::int64_t counted_windows(const Measurement& measurement);

// Means and standard errors of the windows that count. Throws Error(failed) when none does.
void summarize(Measurement& measurement);

struct Timing {
  double device_s = 0;  // of one step, when the device never waits for the host
  // Time the host needs to submit one step. Absent on a CPU, where device_s is all of it.
  std::optional<double> host_s;
  Seconds elapsed{};  // in total: building, warming up, timing
};

// Two networks trained in turn, a few hundredths of a second each. Whatever slows the host down for
// a while slows both, so their ratio is steady even when neither time is.
struct Pace {
  double time_s = 0, reference_s = 0;  // per iteration
  std::string reference = {};          // hash of the reference model; empty when unknown
  Seconds elapsed{};
};

// Whether both networks have a time. A pace without says nothing about the host.
bool has_times(const Pace& pace);

// The time on a host of another speed: `waiting_s` for what waits for the host, which is never
// quicker than its device. What waits for the device takes `time_s` as before. Without its device
// time, it is taken to wait for the host.
double time_on_host(double time_s, double waiting_s, std::optional<double> device_s);

// The time per iteration that the network would have if the reference took its usual time. A
// network that waits for the host is slowed down as much as the reference is; one that waits for
// the device is not. `device_s` is the device time of the network; unknown on a synchronous device.
// The pace must have times.
double steady_time_s(const Pace& pace, double usual_reference_s, std::optional<double> device_s);

// How many times slower than usual the host is, from its latest times for the reference. Only the
// last kLatestPaces are used, because they predict the next one best. 1 when there are none.
inline constexpr std::size_t kLatestPaces = 4;
double slowdown_by(std::span<const double> latest_s, double usual_s);

}  // namespace ampere
