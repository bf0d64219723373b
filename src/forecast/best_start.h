// When to start one run so that it is cheapest or cleanest.
#pragma once

#include <optional>
#include <string>

#include "forecast/forecast.h"

namespace ampere {

// A run whose energy is spread evenly over its time.
struct TimedRun {
  Joules energy;
  Seconds time{}, time_most{};  // expected, and at most
};

struct StartTime {
  Seconds begin{};   // from now
  double value = 0;  // what the forecast counts, of the whole run
};

struct StartOptions {
  StartTime now, best;  // `best` is `now` where no later start is better
  Seconds latest{};     // that was considered
  // Later starts would keep the deadline, but the forecast does not reach so far.
  bool cut_by_forecast = false;
};

// Until when the forecast says something: the last value holds as long as the one before it did.
// Nothing for a forecast of one value.
std::optional<Seconds> end_of(const Forecast& forecast);

// Throws Error(failed), with what would help, when the run may take longer than the deadline.
void require_time(Seconds time_most, Seconds deadline);

// Without a deadline the run starts now. Throws Error(failed) when the run may take longer than the
// deadline, and Error(usage) that begins with `origin` when the forecast ends before a run that
// starts now does.
StartOptions best_start(const TimedRun& run, const Forecast& forecast,
                        const std::optional<Seconds>& deadline, const std::string& origin);

}  // namespace ampere
