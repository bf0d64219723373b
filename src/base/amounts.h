// Amounts with their units, as people write them: "50kWh", "5 kJ", "20kW", "2h".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ampere/units.h"

namespace ampere {

// All throw Error(usage) that begins with `what` and names the text and the units there are, for
// what is no such amount, has no unit or is not above 0.
Joules parse_energy(std::string_view text, const std::string& what);      // uJ … MJ, mWh, Wh, kWh
Watts parse_power(std::string_view text, const std::string& what);        // mW, W, kW, MW
Seconds parse_time_span(std::string_view text, const std::string& what);  // s, min, h, d

double parse_memory(std::string_view text, const std::string& what);  // bytes: MB, GB, GiB …

Joules parse_battery(std::string_view text, const std::string& what);  // 4500mAh@3.85V, 50Wh

// "0.25 s", "40 s", "5 min 3 s", "25 min", "26 h 12 min": as people say it in a sentence.
std::string duration_text(Seconds time);

// Cuts a unit of energy and the blanks before it off the end, and returns its joules.
std::optional<double> take_energy_unit(std::string_view& text);

}  // namespace ampere
