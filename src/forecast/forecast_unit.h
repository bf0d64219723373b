// What the values of a forecast are, read from the name of their column.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "forecast/forecast.h"

namespace ampere {

struct ForecastUnit {
  ForecastKind kind = ForecastKind::carbon;
  double per_kwh = 1;   // a value times this is in grams, or in the currency, per kilowatt-hour
  std::string text;     // of what it is then: "gCO2/kWh", "EUR/kWh"
  std::string written;  // as it was read: "EUR/MWh"
};

// "gCO2/kWh", "kg CO2eq per MWh", "EUR/MWh", "€/kWh": a mass or a currency per energy. Nothing for
// any other text.
std::optional<ForecastUnit> parse_forecast_unit(std::string_view text);

// The unit of a column: what stands in brackets in its name, the whole name, or a word of it.
// Nothing where none of them is a unit.
std::optional<ForecastUnit> unit_of_column(const std::string& column);

}  // namespace ampere
