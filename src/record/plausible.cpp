#include "record/plausible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ampere/error.h"

namespace ampere {
namespace {

struct Limit {
  std::string_view meter;  // how its name begins
  double watts;
};
// Several times what the largest of each draws.
constexpr Limit kLimits[] = {{"nvml", 5e3}, {"rapl", 20e3}, {"modelled", 20e3}};
constexpr double kMostWatts = 1e6;  // of a meter that nothing is known of
constexpr double kMostSeconds = 1e7;

double most_watts(const std::string& meter) {
  for (const Limit& limit : kLimits)
    if (meter.starts_with(limit.meter)) return limit.watts;
  return kMostWatts;
}

void require_power(double energy_j, double time_s, const std::string& meter) {
  const double most = most_watts(meter);
  if (energy_j <= most * time_s) return;
  throw Error(ErrorCode::failed,
              fmt::format("{:.3g} J in {:.3g} s is {:.3g} W, and no device behind the meter {} "
                          "draws more than {:g} W: the meter or the runner is broken",
                          energy_j, time_s, energy_j / time_s,
                          meter.empty() ? "of this rig" : meter, most));
}

void require_time(double time_s) {
  if (time_s <= kMostSeconds) return;
  throw Error(ErrorCode::failed,
              fmt::format("a time of {:.3g} s was reported, longer than {:g} s: the clock or the "
                          "runner is broken",
                          time_s, kMostSeconds));
}

}  // namespace

void require_plausible(const Window& window, const std::string& meter) {
  require_time(window.time.count());
  require_power(window.energy.value, window.time.count(), meter);
}

void require_plausible(const Measurement& measurement, const std::string& meter) {
  for (const Window& window : measurement.windows)
    if (window.rejected.empty()) require_plausible(window, meter);
  require_time(measurement.time_s.mean);
  require_power(measurement.energy_j.mean, measurement.time_s.mean, meter);
}

void require_own_windows(const Measurement& measurement) {
  constexpr double kRounding = 1e-6;
  const auto fail = [](const std::string& what) {
    throw Error(ErrorCode::failed, what + ": the meter or the runner is broken");
  };
  double least_j = 0, most_j = 0, least_s = 0, most_s = 0;
  bool first = true;
  for (const Window& window : measurement.windows) {
    if (!window.rejected.empty()) continue;
    if (window.iterations < 1 || window.time.count() <= 0 || window.energy.value <= 0)
      fail(fmt::format("a window of {} iterations, {:.3g} s and {:.3g} J was reported",
                       window.iterations, window.time.count(), window.energy.value));
    const auto iterations = static_cast<double>(window.iterations);
    const double energy_j = window.energy.value / iterations;
    const double time_s = window.time.count() / iterations;
    least_j = first ? energy_j : std::min(least_j, energy_j);
    most_j = first ? energy_j : std::max(most_j, energy_j);
    least_s = first ? time_s : std::min(least_s, time_s);
    most_s = first ? time_s : std::max(most_s, time_s);
    first = false;
  }
  if (first) fail("a measurement without a window that counts was reported");
  const auto require_between = [&](double mean, double least, double most, const char* unit) {
    if (mean < least * (1 - kRounding) || mean > most * (1 + kRounding))
      fail(
          fmt::format("a mean of {:.6g} {} per iteration was reported, and the windows have {:.6g} "
                      "to {:.6g} {}",
                      mean, unit, least, most, unit));
  };
  require_between(measurement.energy_j.mean, least_j, most_j, "J");
  require_between(measurement.time_s.mean, least_s, most_s, "s");
}

void require_plausible(const Timing& timing) {
  require_time(timing.device_s);
  require_time(timing.host_s.value_or(0));
}

void require_plausible(const Pace& pace) {
  require_time(pace.time_s);
  require_time(pace.reference_s);
}

}  // namespace ampere
