#include "forecast/best_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/amounts.h"
#include "forecast/cost_curve.h"

namespace ampere {
std::optional<Seconds> end_of(const Forecast& forecast) {
  const std::size_t count = forecast.from.size();
  if (count < 2) return std::nullopt;
  return forecast.from[count - 1] + (forecast.from[count - 1] - forecast.from[count - 2]);
}

void require_time(Seconds time_most, Seconds deadline) {
  if (time_most <= deadline) return;
  throw Error(
      ErrorCode::failed,
      fmt::format("the run may take {}, and the deadline is in {}: it would need a deadline "
                  "at least {} later, or fewer epochs or trials",
                  duration_text(time_most), duration_text(deadline),
                  duration_text(time_most - deadline)));
}

StartOptions best_start(const TimedRun& run, const Forecast& forecast,
                        const std::optional<Seconds>& deadline, const std::string& origin) {
  if (deadline) require_time(run.time_most, *deadline);
  const std::optional<Seconds> end = end_of(forecast);
  if (!end)
    throw Error(ErrorCode::usage,
                fmt::format("{}: only one of its values holds from now on, and nobody knows for "
                            "how long: rows are missing, or state it as a constant",
                            origin));
  if (run.time > *end)
    throw Error(ErrorCode::usage,
                fmt::format("{}: the forecast ends in {}, and a run that starts now ends in {}: "
                            "rows for the {} between are missing",
                            origin, duration_text(*end), duration_text(run.time),
                            duration_text(run.time - *end)));
  const CostCurve curve(forecast);
  const double time = run.time.count();
  const auto value = [&](double begin) {
    return run.energy.value / time * curve.between(begin, begin + time);
  };
  StartOptions options;
  options.now = options.best = {Seconds(0), value(0)};
  if (!deadline) return options;
  const Seconds in_time = *deadline - run.time_most, known = *end - run.time;
  options.latest = std::min(in_time, known);
  options.cut_by_forecast = known < in_time;
  // Between two of these the value is a straight line over the start.
  std::vector<double> starts{options.latest.count()};
  for (const double edge : curve.edges()) {
    starts.push_back(edge);
    starts.push_back(edge - time);
  }
  std::ranges::sort(starts);
  for (const double begin : starts)
    if (begin > 0 && begin <= options.latest.count() && value(begin) < options.best.value)
      options.best = {Seconds(begin), value(begin)};
  return options;
}

}  // namespace ampere
