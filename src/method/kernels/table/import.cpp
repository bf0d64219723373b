#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "ampere/error.h"
#include "base/text.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/table/data_rows.h"

namespace ampere {
namespace {

void read_environment(const CsvTable& table, TableImport& result) {
  for (const CsvLine& comment : table.comments) {
    const std::string& text = comment.cells.front();
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0) continue;
    const std::string key(trim(std::string_view(text).substr(0, colon)));
    result.data.environment[key] = trim(std::string_view(text).substr(colon + 1));
  }
}

// Of rows that are the same kernel under the same labels but do not agree, nobody knows which is
// right: all of them are bad.
void check_repeats(TableImport& result, double tolerance) {
  std::map<std::tuple<std::string, KernelConfig, std::map<std::string, std::string>>,
           std::vector<const TableRow*>>
      groups;
  for (const TableRow& row : result.data.rows)
    groups[{row.name, row.config, row.labels}].push_back(&row);
  std::set<int> bad;
  for (const auto& [key, rows] : groups) {
    double mean = 0;
    for (const TableRow* row : rows) mean += row->energy_j / static_cast<double>(rows.size());
    const bool agree = std::ranges::all_of(rows, [&](const TableRow* row) {
      return std::abs(row->energy_j - mean) <= tolerance * mean;
    });
    if (agree) continue;
    std::vector<std::string> values;
    for (const TableRow* row : rows)
      values.push_back(fmt::format("{:g} mJ in line {}", 1e3 * row->energy_j, row->line));
    for (const TableRow* row : rows) {
      bad.insert(row->line);
      result.bad.push_back(
          {row->line, fmt::format("the same {} has {}", to_string(result.data.level),
                                  fmt::join(values, ", "))});
    }
  }
  std::erase_if(result.data.rows, [&](const TableRow& row) { return bad.contains(row.line); });
}

std::string lines_of(const std::vector<const TableRow*>& rows) {
  return rows.size() == 1 ? fmt::format("line {}", rows.front()->line)
                          : fmt::format("lines {} to {}", rows.front()->line, rows.back()->line);
}

void note_poor_kernels(TableImport& result) {
  std::map<std::string, std::vector<const TableRow*>> by_type;
  for (const TableRow& row : result.data.rows) by_type[row.name].push_back(&row);
  for (const auto& [type, rows] : by_type) {
    if (rows.size() == 1) {
      result.notes.push_back(
          fmt::format("{} has a single row ({}): too few for a predictor", type, lines_of(rows)));
      continue;
    }
    for (const auto& [column, value] : rows.front()->config) {
      // Compilers before C++20 was complete capture structured bindings by another name only.
      const auto& name = column;
      const auto& same = value;
      if (std::ranges::all_of(rows, [&, &kernel = type](const TableRow* row) {
            return column_value(kernel, name, row->config) == same;
          }))
        result.notes.push_back(
            fmt::format("{}: {} is {} in all {} rows ({}): other values will be "
                        "guesses",
                        type, column, value, rows.size(), lines_of(rows)));
    }
  }
}

// Of the rows of one level, where the table has several.
TableImport import_rows(const CsvTable& table, const std::string& origin,
                        const ImportOptions& options, std::optional<TableLevel> level = {}) {
  const DataColumns columns = find_columns(table.header, origin, options, level);
  TableImport result;
  result.data.level = columns.level;
  read_environment(table, result);
  if (options.source) result.data.environment.try_emplace("source", to_string(*options.source));
  for (const CsvLine& line : table.rows) {
    auto row = read_row(line, table.header.cells.size(), columns, options);
    if (auto* good = std::get_if<TableRow>(&row))
      result.data.rows.push_back(std::move(*good));
    else
      result.bad.push_back(std::move(std::get<BadRow>(row)));
  }
  check_repeats(result, options.repeat_tolerance);
  std::ranges::stable_sort(result.bad, {}, &BadRow::line);
  if (!columns.unused.empty())
    result.notes.push_back(fmt::format("line {}: columns without a meaning here: {}",
                                       table.header.number, fmt::join(columns.unused, ", ")));
  if (columns.level == TableLevel::kernel) note_poor_kernels(result);
  return result;
}

struct LevelRows {
  std::map<TableLevel, CsvTable> tables;
  std::vector<BadRow> bad;  // of no level
};

LevelRows split_levels(const CsvTable& table, std::size_t column) {
  LevelRows result;
  for (const CsvLine& line : table.rows) {
    const std::string word = line.cells.size() > column ? line.cells[column] : "";
    if (const auto level = line.fault.empty() ? find_table_level(word) : std::nullopt) {
      CsvTable& own = result.tables[*level];
      own.comments = table.comments;
      own.header = table.header;
      own.rows.push_back(line);
    } else {
      result.bad.push_back(
          {line.number,
           !line.fault.empty()
               ? line.fault
               : fmt::format("the level '{}' is none of kernel, model and application", word)});
    }
  }
  return result;
}

}  // namespace

Source source_of(const EnergyTable& table, const TableRow& row) {
  for (const auto* said : {&row.labels, &table.environment})
    if (const auto source = said->find("source"); source != said->end())
      return parse_source(source->second);
  throw Error(ErrorCode::usage,
              "the table does not say how its energies were found (measured, modelled or "
              "simulated): state its source, add a line '# source: …' above the header, or a "
              "column source",
              Remedy::source);
}

TableImport import_table(std::string_view csv, const std::string& origin,
                         const ImportOptions& options) {
  std::vector<TableImport> tables = import_tables(csv, origin, options);
  if (tables.size() > 1)
    throw Error(ErrorCode::usage,
                fmt::format("{}: has rows of {} levels where one is wanted; leave the others out",
                            origin, tables.size()));
  return std::move(tables.front());
}

std::vector<TableImport> import_tables(std::string_view csv, const std::string& origin,
                                       const ImportOptions& options) {
  const CsvTable table = parse_csv(csv, origin);
  const int column = find_level_column(table.header, origin, options);
  if (table.rows.empty()) {
    find_columns(table.header, origin, options);  // what is wrong with the header comes first
    throw Error(ErrorCode::usage, fmt::format("{}: has no rows below its header", origin));
  }
  if (column < 0) return {import_rows(table, origin, options)};
  LevelRows rows = split_levels(table, static_cast<std::size_t>(column));
  if (rows.tables.empty()) rows.tables[TableLevel::kernel] = {table.comments, table.header, {}};
  std::vector<TableImport> result;
  for (const auto& [level, own] : rows.tables)
    result.push_back(import_rows(own, origin, options, level));
  std::vector<BadRow>& bad = result.front().bad;
  std::ranges::move(rows.bad, std::back_inserter(bad));
  std::ranges::stable_sort(bad, {}, &BadRow::line);
  return result;
}

}  // namespace ampere
