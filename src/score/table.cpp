#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "ampere/error.h"
#include "ampere/score.h"
#include "base/csv.h"
#include "base/text.h"

namespace ampere {
namespace {

struct Unit {
  const char* name;
  std::optional<double> ScoreCell::*quantity;
  double scale;
};
constexpr Unit kUnits[] = {
    {"energy_j", &ScoreCell::energy_j, 1},   {"energy_mj", &ScoreCell::energy_j, 1e-3},
    {"power_w", &ScoreCell::power_w, 1},     {"power_mw", &ScoreCell::power_w, 1e-3},
    {"latency_s", &ScoreCell::latency_s, 1}, {"latency_ms", &ScoreCell::latency_s, 1e-3},
};
struct Label {
  const char* name;
  std::string ScoreCell::*text;
};
constexpr Label kLabels[] = {{"device", &ScoreCell::device},
                             {"delegate", &ScoreCell::delegate},
                             {"network", &ScoreCell::network}};

// The header with other people's names replaced by ours.
class Header {
 public:
  Header(const CsvLine& line, const std::string& origin, const std::string& mapping)
      : line_(line), origin_(origin), names_(line.cells) {
    for (const ColumnAlias& alias : parse_column_aliases(mapping, line, origin))
      names_[alias.column] = alias.name;
    for (const Label& label : kLabels)
      if (!at(label.name)) fail(fmt::format("there is no column {}", label.name));
    if (!has(&ScoreCell::energy_j) && !has(&ScoreCell::power_w))
      fail("there is neither a column energy_j nor power_w; map them if they have other names");
  }

  std::optional<std::size_t> at(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }
  std::size_t size() const { return names_.size(); }

 private:
  // In one unit, not in two.
  bool has(std::optional<double> ScoreCell::*quantity) const {
    int found = 0;
    for (const Unit& unit : kUnits) found += unit.quantity == quantity && at(unit.name) ? 1 : 0;
    if (found > 1) fail("has one quantity in two units");
    return found == 1;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorCode::usage, fmt::format("{}: line {}: {}", origin_, line_.number, message));
  }

  const CsvLine& line_;
  const std::string& origin_;
  std::vector<std::string> names_;
};

std::optional<Source> read_source(const CsvLine& line, const Header& header) {
  const auto column = header.at("source");
  if (!column || line.cells[*column].empty()) return std::nullopt;
  return parse_source(line.cells[*column]);
}

// What has no cost needs no source.
bool needs_source(const ScoreCell& cell) { return cell.energy_j || cell.power_w || cell.latency_s; }

ScoreCell read_cell(const CsvLine& line, const Header& header) {
  ScoreCell cell;
  for (const Label& label : kLabels) {
    cell.*label.text = line.cells[*header.at(label.name)];
    if ((cell.*label.text).empty())
      throw Error(ErrorCode::usage, fmt::format("the {} is empty", label.name));
  }
  for (const Unit& unit : kUnits) {
    const auto column = header.at(unit.name);
    if (!column || line.cells[*column].empty()) continue;
    const double value = parse_number(line.cells[*column], unit.name);
    if (value <= 0)
      throw Error(ErrorCode::usage, fmt::format("{} is {}, which nothing takes", unit.name, value));
    cell.*unit.quantity = unit.scale * value;
  }
  return cell;
}

}  // namespace

std::vector<ScoreCell> parse_score_table(std::string_view csv, const std::string& origin,
                                         const std::string& columns, std::optional<Source> source) {
  const CsvTable table = parse_csv(csv, origin);
  const Header header(table.header, origin, columns);
  std::vector<ScoreCell> cells;
  std::map<std::tuple<std::string, std::string, std::string>, int> seen;
  std::optional<int> unstated;  // the first line without a source
  for (const CsvLine& line : table.rows) {
    const auto fail = [&](const std::string& message) {
      throw Error(ErrorCode::usage, fmt::format("{}: line {}: {}", origin, line.number, message));
    };
    if (!line.fault.empty()) fail(line.fault);
    if (line.cells.size() != header.size())
      fail(fmt::format("has {} cells for {} columns", line.cells.size(), header.size()));
    try {
      cells.push_back(read_cell(line, header));
      const auto own = read_source(line, header);
      if (own || source)
        cells.back().source = own ? *own : *source;
      else if (needs_source(cells.back()) && !unstated)
        unstated = line.number;
    } catch (const Error& error) {
      fail(error.what());
    }
    const ScoreCell& cell = cells.back();
    const auto [first, is_new] =
        seen.try_emplace({cell.device, cell.delegate, cell.network}, line.number);
    if (!is_new)
      fail(fmt::format("{} on {} of {} is in line {} already", cell.network, cell.delegate,
                       cell.device, first->second));
  }
  if (unstated)
    throw Error(ErrorCode::usage,
                fmt::format("{}: line {}: does not say how its costs were found: add a column "
                            "source (measured, modelled or simulated), or state one source for all "
                            "lines",
                            origin, *unstated),
                Remedy::source);
  return cells;
}

std::string export_score_table(const std::vector<ScoreCell>& cells) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string{};
  };
  std::string csv = "device,delegate,network,energy_j,power_w,latency_s,source\n";
  for (const ScoreCell& cell : cells)
    csv += fmt::format("{},{},{},{},{},{},{}\n", csv_cell(cell.device), csv_cell(cell.delegate),
                       csv_cell(cell.network), number(cell.energy_j), number(cell.power_w),
                       number(cell.latency_s), to_string(cell.source));
  return csv;
}

}  // namespace ampere
