// Forecasts of carbon intensity or prices, and how to read them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/units.h"

namespace ampere {

enum class ForecastKind { carbon, price };

// What a kilowatt-hour costs or emits, piecewise constant: per_kwh[i] holds from from[i] until the
// next one, and the last one goes on. from[0] is 0. Prices may be negative.
struct Forecast {
  std::vector<Seconds> from;
  std::vector<double> per_kwh;
  std::string unit = {};  // of the values, e.g. "gCO2/kWh" or "EUR/kWh"; may be empty
};

// A table of comma-separated values with a line of column names. The first column is the time from
// which a value holds: UTC ("2026-01-31T12:00:00Z", "2026-01-31 12:00") or seconds from `now`, but
// not both in one table. The second column is the value; its name says the unit, as in
// "carbon (gCO2/kWh)": g, kg, t or lb of carbon dioxide, or any currency, per kWh, MWh or GWh.
// Values are converted to grams or the currency per kilowatt-hour. Further columns are ignored.
//
// Rows may be in any order. A value holds until the next row, so a gap repeats the value before it;
// the last value goes on. What lies before `now` is left out. Throws Error(usage) naming the origin
// and the line if a time or value cannot be read, a time occurs twice or carbon is negative, if the
// table does not reach back to `now`, and if its unit is not known or not of the kind that is
// `needed`.
Forecast parse_forecast(std::string_view text, const std::string& origin,
                        std::chrono::sys_seconds now,
                        std::optional<ForecastKind> needed = std::nullopt);

}  // namespace ampere
