#include "meter/trace/trace_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/lower_case.h"

namespace ampere {
namespace {

enum class Dimension { time, power, voltage, current };

struct Unit {
  std::string_view name;
  Dimension quantity;
  double scale;
};

constexpr std::array kUnits = {
    Unit{"s", Dimension::time, 1},        Unit{"sec", Dimension::time, 1},
    Unit{"seconds", Dimension::time, 1},  Unit{"ms", Dimension::time, 1e-3},
    Unit{"us", Dimension::time, 1e-6},    Unit{"µs", Dimension::time, 1e-6},
    Unit{"ns", Dimension::time, 1e-9},    Unit{"w", Dimension::power, 1},
    Unit{"mw", Dimension::power, 1e-3},   Unit{"uw", Dimension::power, 1e-6},
    Unit{"µw", Dimension::power, 1e-6},   Unit{"v", Dimension::voltage, 1},
    Unit{"mv", Dimension::voltage, 1e-3}, Unit{"uv", Dimension::voltage, 1e-6},
    Unit{"µv", Dimension::voltage, 1e-6}, Unit{"a", Dimension::current, 1},
    Unit{"ma", Dimension::current, 1e-3}, Unit{"ua", Dimension::current, 1e-6},
    Unit{"µa", Dimension::current, 1e-6}, Unit{"na", Dimension::current, 1e-9},
};

// Words that mean a quantity in its SI unit where no unit is written.
constexpr std::array kWords = {
    Unit{"time", Dimension::time, 1},       Unit{"timestamp", Dimension::time, 1},
    Unit{"t", Dimension::time, 1},          Unit{"unixtime", Dimension::time, 1},
    Unit{"power", Dimension::power, 1},     Unit{"watts", Dimension::power, 1},
    Unit{"p", Dimension::power, 1},         Unit{"voltage", Dimension::voltage, 1},
    Unit{"volts", Dimension::voltage, 1},   Unit{"current", Dimension::current, 1},
    Unit{"amperes", Dimension::current, 1}, Unit{"amps", Dimension::current, 1},
    Unit{"i", Dimension::current, 1},       Unit{"v", Dimension::voltage, 1},
};

struct Column {
  std::size_t field;
  std::string name;  // without its unit
  Dimension quantity;
  double scale;
};

template <class Table>
const Unit* find(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Unit::name);
  return found == table.end() ? nullptr : &*found;
}

bool has_word(std::string_view name, std::string_view word) {
  const auto words = split(name, ' ');
  return std::ranges::find(words, word) != words.end();
}

// "Main Avg Current (mA)" as ("Main Avg Current", "mA"), "power_w" as ("power", "w").
std::pair<std::string_view, std::string_view> name_and_unit(std::string_view text) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    const std::size_t begin = text.rfind(open);
    if (begin != std::string_view::npos && text.back() == close)
      return {trim(text.substr(0, begin)), trim(text.substr(begin + 1, text.size() - begin - 2))};
  }
  const std::size_t mark = text.find_last_of("_/");
  if (mark != std::string_view::npos && find(kUnits, lower_case(text.substr(mark + 1))) != nullptr)
    return {text.substr(0, mark), text.substr(mark + 1)};
  return {text, {}};
}

std::optional<Column> recognise(std::size_t field, std::string_view text,
                                const TraceFormat& format) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = trim(text.substr(1, text.size() - 2));
  const auto [name, unit_name] = name_and_unit(text);
  const std::string plain = lower_case(name);
  // Tools that average also export the extremes.
  for (const char* extreme : {"min", "max", "peak"})
    if (has_word(plain, extreme)) return std::nullopt;
  const Unit* unit = find(kUnits, lower_case(plain == "value" ? format.value_unit : unit_name));
  if (unit_name.empty() && unit == nullptr) {
    unit = find(kWords, plain);
    for (const char* word : {"power", "voltage", "current"})
      if (unit == nullptr && has_word(plain, word)) unit = find(kWords, word);
  }
  if (unit == nullptr) return std::nullopt;
  return Column{field, std::string(name), unit->quantity, unit->scale};
}

using Columns = std::vector<Column>;

Columns only(const Columns& columns, Dimension quantity, const std::string& channel) {
  Columns result;
  for (const Column& column : columns)
    if (column.quantity == quantity &&
        lower_case(column.name).find(lower_case(channel)) != std::string::npos)
      result.push_back(column);
  return result;
}

[[noreturn]] void ambiguous(const char* what, const Columns& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back("'" + column.name + "'");
  throw Error(ErrorCode::usage,
              fmt::format("there are several columns of {}: {}; choose with channel=", what,
                          fmt::join(names, ", ")));
}

TracePower from_current(const Columns& currents, const Columns& voltages,
                        const TraceFormat& format) {
  if (currents.empty())
    throw Error(
        ErrorCode::usage,
        format.channel.empty()
            ? "the header names neither power nor current (such as 'power (W)'; for a column "
              "'Value' give the unit with value=)"
            : fmt::format("no column of power or current is called '{}'", format.channel));
  if (currents.size() > 1) ambiguous("current", currents);
  const Column& current = currents.front();
  if (format.volts) return {current.name, current.scale * *format.volts, current.field};
  if (voltages.size() > 1) ambiguous("voltage", voltages);
  if (voltages.empty())
    throw Error(ErrorCode::usage, "there is a current, but no voltage: give it with volts=");
  return {current.name, current.scale * voltages.front().scale, current.field,
          voltages.front().field};
}

}  // namespace

std::optional<TraceLayout> layout_of_header(const std::vector<std::string_view>& names,
                                            const TraceFormat& format) {
  Columns columns;
  for (std::size_t field = 0; field < names.size(); ++field)
    if (auto column = recognise(field, names[field], format)) columns.push_back(std::move(*column));
  const auto time = std::ranges::find(columns, Dimension::time, &Column::quantity);
  if (time == columns.end()) return std::nullopt;
  TraceLayout layout{names.size(), time->field, format.time_scale.value_or(time->scale), {}};
  const Columns powers = only(columns, Dimension::power, format.channel);
  const bool total_first = !powers.empty() && lower_case(powers.front().name) == "power";
  if (powers.size() > 1 && !total_first) ambiguous("power", powers);
  for (const Column& power : powers)
    layout.powers.push_back({power.name, power.scale, power.field});
  if (powers.empty())
    layout.powers = {from_current(only(columns, Dimension::current, format.channel),
                                  only(columns, Dimension::voltage, format.channel), format)};
  return layout;
}

TraceLayout layout_without_header(std::size_t fields, const TraceFormat& format) {
  TraceLayout layout{fields, 0, format.time_scale.value_or(1), {}};
  if (fields == 2)
    layout.powers = {{"power", 1, 1}};
  else if (fields == 3)
    layout.powers = {{"power", 1, 1, 2}};
  else
    throw Error(ErrorCode::usage,
                fmt::format("{} fields and no header: only 'time, watts' and 'time, volts, "
                            "amperes' explain themselves",
                            fields));
  return layout;
}

}  // namespace ampere
