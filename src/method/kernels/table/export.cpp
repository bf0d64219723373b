#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/csv.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/kernel_data.h"

namespace ampere {
namespace {

std::vector<std::string> all_sizes(const EnergyTable& data) {
  std::set<std::string> found;
  for (const TableRow& row : data.rows) {
    for (const auto& [column, value] : row.config) found.insert(column);
    if (data.level == TableLevel::kernel)
      for (const std::string& column : required_columns(row.name)) found.insert(column);
  }
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

}  // namespace

std::string export_table(const EnergyTable& data) {
  const std::vector<std::string> sizes = all_sizes(data);
  const std::set<std::string> labels = all_labels(data);
  std::string csv;
  for (const auto& [key, value] : data.environment)
    csv += fmt::format("# {}: {}\n", one_line(key), one_line(value));
  csv += to_string(data.level);
  for (const std::string& label : labels) csv += "," + label;
  for (const std::string& size : sizes) csv += "," + size;
  csv += ",energy_mj,power_mw,latency_ms\n";
  for (const TableRow& row : data.rows) {
    csv += csv_cell(row.name);
    for (const std::string& label : labels) csv += "," + cell_of(row.labels, label);
    for (const std::string& size : sizes) csv += "," + cell_of(row.config, size);
    csv +=
        fmt::format(",{},{},{}\n", milli(row.energy_j), milli(row.power_w), milli(row.latency_s));
  }
  return csv;
}

}  // namespace ampere
