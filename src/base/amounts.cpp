#include "base/amounts.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
// Longer names before those they end in.
constexpr std::array kEnergyUnits{Unit{"kWh", 3.6e6}, Unit{"mWh", 3.6}, Unit{"Wh", 3600},
                                  Unit{"MJ", 1e6},    Unit{"kJ", 1e3},  Unit{"mJ", 1e-3},
                                  Unit{"uJ", 1e-6},   Unit{"J", 1}};
constexpr std::array kPowerUnits{Unit{"MW", 1e6}, Unit{"kW", 1e3}, Unit{"mW", 1e-3}, Unit{"W", 1}};
constexpr std::array kTimeUnits{Unit{"min", 60}, Unit{"ms", 1e-3}, Unit{"s", 1}, Unit{"h", 3600},
                                Unit{"d", 86400}};
constexpr std::array kMemoryUnits{Unit{"TiB", 0x1p40}, Unit{"GiB", 0x1p30}, Unit{"MiB", 0x1p20},
                                  Unit{"TB", 1e12},    Unit{"GB", 1e9},     Unit{"MB", 1e6}};

std::optional<double> take_unit(std::string_view& text, std::span<const Unit> units) {
  for (const Unit& unit : units)
    if (text.ends_with(unit.name)) {
      text = trim(text.substr(0, text.size() - unit.name.size()));
      return unit.factor;
    }
  return std::nullopt;
}

double parse(std::string_view text, const std::string& what, std::span<const Unit> units,
             const char* example) {
  const auto fail = [&](const char* why) {
    throw Error(ErrorCode::usage,
                fmt::format("{}: '{}' {}; write it as in {}", what, text, why, example));
  };
  std::string_view number = trim(text);
  const std::optional<double> factor = take_unit(number, units);
  if (!factor) fail("has no unit that is known here");
  double value = 0;
  try {
    value = parse_number(number, what) * *factor;
  } catch (const Error&) {
    fail("is not a number with a unit");
  }
  if (!std::isfinite(value) || value <= 0) fail("is not above 0");
  return value;
}

}  // namespace

std::optional<double> take_energy_unit(std::string_view& text) {
  return take_unit(text, kEnergyUnits);
}

Joules parse_energy(std::string_view text, const std::string& what) {
  return {parse(text, what, kEnergyUnits, "500J, 5 kJ, 1.5Wh or 50kWh")};
}

double parse_memory(std::string_view text, const std::string& what) {
  constexpr double kMost = 1e18;  // more would not be a number of bytes
  const double bytes = parse(text, what, kMemoryUnits, "24GB, 80GiB or 512MB");
  if (bytes > kMost)
    throw Error(ErrorCode::usage, fmt::format("{}: '{}' is more than 1000000 TB", what, text));
  return bytes;
}

Joules parse_battery(std::string_view text, const std::string& what) {
  constexpr double kJoulesPerMilliampereHourAndVolt = 3.6;
  const std::size_t at = text.find("mAh@");
  const bool by_charge = at != std::string_view::npos && text.ends_with("V");
  try {
    if (!by_charge) return parse_energy(text, what);
    const double charge = parse_number(text.substr(0, at), what);
    const std::size_t volts = at + std::string_view("mAh@").size();
    const Joules energy{charge * parse_number(text.substr(volts, text.size() - volts - 1), what) *
                        kJoulesPerMilliampereHourAndVolt};
    if (charge > 0 && energy > Joules{0} && std::isfinite(energy.value)) return energy;
  } catch (const Error&) {
  }
  throw Error(ErrorCode::usage,
              fmt::format("{}: '{}' is not like 4500mAh@3.85V, 50Wh or 180000J", what, text));
}

Watts parse_power(std::string_view text, const std::string& what) {
  return {parse(text, what, kPowerUnits, "300W or 20kW")};
}

Seconds parse_time_span(std::string_view text, const std::string& what) {
  return Seconds(parse(text, what, kTimeUnits, "90s, 15min, 2h or 1d"));
}

std::string duration_text(Seconds time) {
  constexpr double kMinute = 60, kHour = 3600;
  const double seconds = time.count();
  if (seconds < 0) return "-" + duration_text(-time);
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (std::lround(seconds) < kMinute) return fmt::format("{} s", std::lround(seconds));
  const long minutes = std::lround(seconds / kMinute);
  if (seconds < 10 * kMinute) {
    const long whole = std::lround(seconds), rest = whole % 60;
    return rest == 0 ? fmt::format("{} min", whole / 60)
                     : fmt::format("{} min {} s", whole / 60, rest);
  }
  if (minutes * kMinute < kHour) return fmt::format("{} min", minutes);
  return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                           : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace ampere
