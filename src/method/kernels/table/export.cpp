#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/csv.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/kernel_data.h"

namespace ampere {
namespace {

std::set<std::string> size_columns(const EnergyTable& data) {
  std::set<std::string> found;
  for (const TableRow& row : data.rows) {
    for (const auto& [column, value] : row.config) found.insert(column);
    if (data.level == TableLevel::kernel)
      for (const std::string& column : required_columns(row.name)) found.insert(column);
  }
  return found;
}

std::vector<std::string> in_order(const std::set<std::string>& found) {
  std::vector<std::string> columns(found.begin(), found.end());
  std::ranges::stable_sort(columns, column_before);
  return columns;
}

std::set<std::string> all_labels(const EnergyTable& data) {
  std::set<std::string> labels;
  for (const TableRow& row : data.rows)
    for (const auto& [label, text] : row.labels) labels.insert(label);
  return labels;
}

template <class Map>
std::string cell_of(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? "" : csv_cell(fmt::format("{}", found->second));
}

std::string milli(const std::optional<double>& value) {
  return value ? fmt::format("{:.12g}", 1e3 * *value) : "";
}

// A comment reaches to the end of its line.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return text;
}

std::string environment_lines(const EnergyTable& data) {
  std::string lines;
  for (const auto& [key, value] : data.environment)
    lines += fmt::format("# {}: {}\n", one_line(key), one_line(value));
  return lines;
}

// Everything of a row behind its name.
std::string cells_of(const TableRow& row, const std::set<std::string>& labels,
                     const std::vector<std::string>& sizes) {
  std::string cells;
  for (const std::string& label : labels) cells += "," + cell_of(row.labels, label);
  for (const std::string& size : sizes) cells += "," + cell_of(row.config, size);
  return cells +
         fmt::format(",{},{},{}\n", milli(row.energy_j), milli(row.power_w), milli(row.latency_s));
}

}  // namespace

std::string export_tables(std::span<const EnergyTable> tables) {
  std::set<std::string> found, labels;
  for (const EnergyTable& table : tables) {
    found.merge(size_columns(table));
    labels.merge(all_labels(table));
  }
  labels.erase("source");
  const std::vector<std::string> sizes = in_order(found);
  std::string csv = tables.empty() ? "" : environment_lines(tables.front());
  csv += "level,name,source";
  for (const std::string& label : labels) csv += "," + label;
  for (const std::string& size : sizes) csv += "," + size;
  csv += ",energy_mj,power_mw,latency_ms\n";
  for (const EnergyTable& table : tables)
    for (const TableRow& row : table.rows) {
      csv += fmt::format("{},{},{}", to_string(table.level), csv_cell(row.name),
                         to_string(source_of(table, row)));
      csv += cells_of(row, labels, sizes);
    }
  return csv;
}

std::string export_table(const EnergyTable& data) {
  const std::vector<std::string> sizes = in_order(size_columns(data));
  const std::set<std::string> labels = all_labels(data);
  std::string csv = environment_lines(data);
  csv += to_string(data.level);
  for (const std::string& label : labels) csv += "," + label;
  for (const std::string& size : sizes) csv += "," + size;
  csv += ",energy_mj,power_mw,latency_ms\n";
  for (const TableRow& row : data.rows) csv += csv_cell(row.name) + cells_of(row, labels, sizes);
  return csv;
}

}  // namespace ampere
