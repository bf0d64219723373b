#include "method/kernels/table/data_rows.h"

#include <fmt/format.h>

#include <cmath>

#include "ampere/error.h"
#include "base/text.h"
#include "method/kernels/cut/columns.h"

namespace ampere {
namespace {

constexpr double kMostSize = 1 << 24;

// What stops a row; found again by its line.
struct Fault {
  std::string reason;
};

double number_in(const std::string& cell, const std::string& column) {
  try {
    return parse_number(cell, column);
  } catch (const Error& error) {
    throw Fault{cell.empty() ? column + " is empty" : error.what()};
  }
}

double positive_in(const CsvLine& line, int column, double scale, const char* what) {
  const double value = number_in(line.cells[static_cast<std::size_t>(column)], what);
  if (value <= 0) throw Fault{fmt::format("{} is {}, which nothing takes", what, value)};
  return value * scale;
}

// Tables with empty cells are often written with all numbers as fractions: 3.0.
std::int64_t size_in(const std::string& cell, const std::string& column) {
  const double value = number_in(cell, column);
  if (value != std::floor(value) || std::abs(value) > kMostSize)
    throw Fault{fmt::format("{}: '{}' is no size", column, cell)};
  if (value < 0 || (value == 0 && !may_be_zero(column)))
    throw Fault{fmt::format("{} is {}, which no kernel has", column, value)};
  return static_cast<std::int64_t>(value);
}

std::string source_in(const std::string& cell) {
  try {
    return to_string(parse_source(cell));
  } catch (const Error& error) {
    throw Fault{error.what()};
  }
}

KernelConfig read_config(const CsvLine& line, const DataColumns& columns, const std::string& type) {
  KernelConfig config;
  for (const auto& [column, name] : columns.sizes) {
    const std::string& cell = line.cells[static_cast<std::size_t>(column)];
    if (!cell.empty()) config[name] = size_in(cell, name);
  }
  for (const std::string& name : required_columns(type))
    if (!config.contains(name)) throw Fault{fmt::format("a {} needs {}", type, name)};
  return without_usual(type, std::move(config));
}

// Off by a thousand, or a million, is another unit and no measurement.
void check_product(const TableRow& row, double tolerance) {
  if (!row.power_w || !row.latency_s) return;
  const double product = *row.power_w * *row.latency_s, ratio = row.energy_j / product;
  if (std::abs(ratio - 1) <= tolerance) return;
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6})
    if (std::abs(ratio / unit - 1) <= tolerance)
      throw Fault{fmt::format(
          "energy is {:g} times power x latency: a cell is in another unit than its column", unit)};
  throw Fault{fmt::format("energy {:g} mJ is not power x latency, which is {:g} mJ",
                          1e3 * row.energy_j, 1e3 * product)};
}

void read_quantities(const CsvLine& line, const DataColumns& columns, TableRow& row) {
  const auto given = [&](const Measured& measured) {
    return measured.column >= 0 && !line.cells[static_cast<std::size_t>(measured.column)].empty();
  };
  if (given(columns.power))
    row.power_w = positive_in(line, columns.power.column, columns.power.scale, "power");
  if (given(columns.latency))
    row.latency_s = positive_in(line, columns.latency.column, columns.latency.scale, "latency");
  if (columns.energy.column >= 0)
    row.energy_j = positive_in(line, columns.energy.column, columns.energy.scale, "energy");
  else if (row.power_w && row.latency_s)
    row.energy_j = *row.power_w * *row.latency_s;
  else
    throw Fault{"power or latency is empty, and there is no energy"};
}

TableRow row_of(const CsvLine& line, const DataColumns& columns, const ImportOptions& options) {
  TableRow row;
  row.line = line.number;
  row.name = columns.name < 0 ? options.kernel : line.cells[static_cast<std::size_t>(columns.name)];
  if (row.name.empty()) throw Fault{fmt::format("the {} is empty", to_string(columns.level))};
  if (columns.level == TableLevel::kernel) {
    row.name = canonical_kernel_type(row.name);
    row.config = read_config(line, columns, row.name);
  }
  for (const auto& [column, name] : columns.labels)
    if (const std::string& cell = line.cells[static_cast<std::size_t>(column)]; !cell.empty())
      row.labels[name] = name == "source" ? source_in(cell) : cell;
  read_quantities(line, columns, row);
  check_product(row, options.tolerance);
  return row;
}

}  // namespace

std::variant<TableRow, BadRow> read_row(const CsvLine& line, std::size_t cells,
                                        const DataColumns& columns, const ImportOptions& options) {
  try {
    if (!line.fault.empty()) throw Fault{line.fault};
    if (line.cells.size() != cells)
      throw Fault{fmt::format("has {} cells for {} columns", line.cells.size(), cells)};
    return row_of(line, columns, options);
  } catch (const Fault& fault) {
    return BadRow{line.number, fault.reason};
  }
}

}  // namespace ampere
