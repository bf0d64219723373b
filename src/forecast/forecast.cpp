#include "forecast/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/utc.h"
#include "forecast/forecast_unit.h"

namespace ampere {
namespace {

struct Row {
  int line = 0;
  double from = 0;  // seconds from now
  double value = 0;
};

class RowReader {
 public:
  RowReader(const std::string& origin, std::chrono::sys_seconds now) : origin_(origin), now_(now) {}

  Row read(const CsvLine& line) {
    if (!line.fault.empty()) fail(line.number, line.fault);
    if (line.cells.size() < 2)
      fail(line.number, "a time and a value are needed, separated by a comma");
    return {line.number, time(line), number(line, 1, "the value")};
  }

  [[noreturn]] void fail(int line, const std::string& message) const {
    throw Error(ErrorCode::usage, fmt::format("{}: line {}: {}", origin_, line, message));
  }

 private:
  double number(const CsvLine& line, std::size_t cell, const char* what) const {
    try {
      const double value = parse_number(line.cells[cell], what);
      if (std::isfinite(value)) return value;
    } catch (const Error&) {
    }
    fail(line.number, fmt::format("{} '{}' is not a number", what, line.cells[cell]));
  }

  // Behind the year of a date comes a '-'; in a number one may come first or behind an 'e'.
  double time(const CsvLine& line) {
    const std::string& text = line.cells[0];
    const bool utc = text.size() > 4 && text[4] == '-' && text[3] != 'e' && text[3] != 'E';
    if (utc_.value_or(utc) != utc) fail(line.number, "UTC times and seconds are mixed");
    utc_ = utc;
    if (!utc) return number(line, 0, "the time");
    const auto at = parse_utc(text);
    if (!at)
      fail(line.number, fmt::format("'{}' is not a UTC time such as 2026-01-31T12:00:00Z", text));
    return Seconds(*at - now_).count();
  }

  const std::string& origin_;
  std::chrono::sys_seconds now_;
  std::optional<bool> utc_;  // what the rows so far have
};

constexpr const char* kCarbonUnits = "gCO2/kWh or kgCO2/MWh";
constexpr const char* kPriceUnits = "EUR/kWh or EUR/MWh";

// A wrong unit would make a plausible number that is a thousand times off, so none is guessed.
ForecastUnit read_unit(const std::string& column, const std::string& origin,
                       std::optional<ForecastKind> needed) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::usage, fmt::format("{}: the column '{}' {}", origin, column, why));
  };
  const char* examples = needed == ForecastKind::carbon  ? kCarbonUnits
                         : needed == ForecastKind::price ? kPriceUnits
                                                         : "gCO2/kWh or EUR/MWh";
  const auto unit = unit_of_column(column);
  if (!unit)
    refuse(fmt::format("has no unit that is known; write one into its name, as in {}", examples));
  if (needed && unit->kind != *needed)
    refuse(fmt::format("has {} ({}), and {} is needed, as in {}",
                       unit->kind == ForecastKind::price ? "prices" : "carbon dioxide",
                       unit->written, *needed == ForecastKind::price ? "a price" : "carbon dioxide",
                       examples));
  return *unit;
}

std::vector<Row> read_rows(const CsvTable& table, RowReader& reader) {
  std::vector<Row> rows;
  for (const CsvLine& line : table.rows) rows.push_back(reader.read(line));
  std::ranges::stable_sort(rows, {}, &Row::from);
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].from == rows[i - 1].from)
      reader.fail(rows[i].line, fmt::format("the time of line {} occurs again", rows[i - 1].line));
  return rows;
}

}  // namespace

Forecast parse_forecast(std::string_view text, const std::string& origin,
                        std::chrono::sys_seconds now, std::optional<ForecastKind> needed) {
  const CsvTable table = parse_csv(text, origin);
  RowReader reader(origin, now);
  if (table.header.cells.size() < 2)
    reader.fail(table.header.number, "the names of two columns are needed: time and value");
  const ForecastUnit unit = read_unit(table.header.cells[1], origin, needed);
  const std::vector<Row> rows = read_rows(table, reader);
  for (const Row& row : rows)
    if (unit.kind == ForecastKind::carbon && row.value < 0)
      reader.fail(row.line,
                  fmt::format("{:g} is negative, which carbon dioxide cannot be", row.value));
  if (rows.empty()) throw Error(ErrorCode::usage, origin + ": there is no forecast in it");
  if (rows.front().from > 0)
    reader.fail(rows.front().line,
                fmt::format("the forecast begins only in {}; a value that holds now is missing",
                            duration_text(Seconds(rows.front().from))));
  Forecast forecast;
  forecast.unit = unit.text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 < rows.size() && rows[i + 1].from <= 0) continue;
    forecast.from.push_back(Seconds{std::max(0., rows[i].from)});
    forecast.per_kwh.push_back(rows[i].value * unit.per_kwh);
  }
  return forecast;
}

}  // namespace ampere
