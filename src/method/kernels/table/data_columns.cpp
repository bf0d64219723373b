#include "method/kernels/table/data_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "base/text.h"
#include "method/kernels/cut/columns.h"

namespace ampere {
namespace {

struct Unit {
  const char* name;
  Measured DataColumns::*quantity;
  double scale;
};
constexpr Unit kUnits[] = {
    {"energy_j", &DataColumns::energy, 1},       {"energy_mj", &DataColumns::energy, 1e-3},
    {"energy_uj", &DataColumns::energy, 1e-6},   {"power_w", &DataColumns::power, 1},
    {"power_mw", &DataColumns::power, 1e-3},     {"latency_s", &DataColumns::latency, 1},
    {"latency_ms", &DataColumns::latency, 1e-3}, {"latency_us", &DataColumns::latency, 1e-6},
};
constexpr const char* kLevelColumn = "level";
constexpr const char* kNameColumn = "name";  // beside the level
constexpr TableLevel kLevels[] = {TableLevel::application, TableLevel::kernel, TableLevel::model};

// All names that a column may have, by their lower case.
std::map<std::string, std::string> known_names() {
  std::map<std::string, std::string> names;
  for (const Unit& unit : kUnits) names[unit.name] = unit.name;
  for (const TableLevel level : kLevels) names[to_string(level)] = to_string(level);
  for (const char* column : {kLevelColumn, kNameColumn}) names[column] = column;
  for (const std::string& label : data_labels()) names[label] = label;
  for (const std::string& column : kernel_columns()) names[lower_case(column)] = column;
  return names;
}

class Finder {
 public:
  Finder(const CsvLine& header, const std::string& origin)
      : header_(header), origin_(origin), names_(known_names()) {}

  // By what the user says, then by the names themselves.
  void name_all(const std::string& mapping) {
    given_.resize(header_.cells.size());
    for (const ColumnAlias& alias : parse_column_aliases(mapping, header_, origin_))
      given_[alias.column] = known_name(alias.name);
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const auto known = names_.find(lower_case(header_.cells[i]));
      if (given_[i].empty() && known != names_.end() && at(known->second) < 0)
        given_[i] = known->second;
    }
    for (std::size_t i = 0; i < given_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (header_.cells[i] == header_.cells[j])
          fail(fmt::format("the column '{}' is there twice", header_.cells[i]));
  }

  int at(const std::string& name) const {
    const auto found = std::ranges::find(given_, name);
    return found == given_.end() ? -1 : static_cast<int>(found - given_.begin());
  }
  const std::vector<std::string>& given() const { return given_; }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorCode::usage, fmt::format("{}: line {}: {}", origin_, header_.number, message));
  }

 private:
  std::string known_name(const std::string& ours) const {
    if (const auto known = names_.find(lower_case(ours)); known != names_.end())
      return known->second;
    std::vector<std::string> all;
    for (const auto& [key, name] : names_) all.push_back(name);
    fail(fmt::format("'{}' is no column of ampere{}", ours, suggestion(ours, all)));
  }

  const CsvLine& header_;
  const std::string& origin_;
  std::map<std::string, std::string> names_;
  std::vector<std::string> given_;  // our name of each column; empty: none
};

void find_quantities(const Finder& finder, DataColumns& columns) {
  for (const Unit& unit : kUnits) {
    const int at = finder.at(unit.name);
    if (at < 0) continue;
    Measured& measured = columns.*unit.quantity;
    if (measured.column >= 0)
      finder.fail(fmt::format("has both {} and {}: one quantity in two units",
                              finder.given()[static_cast<std::size_t>(measured.column)],
                              unit.name));
    measured = {at, unit.scale};
  }
  if (columns.energy.column < 0 && (columns.power.column < 0 || columns.latency.column < 0))
    finder.fail(
        "there is neither a column energy_mj nor both power_mw and latency_ms; if they have other "
        "names, map them: energy_mj=Energy(mJ)");
}

void find_level(const Finder& finder, const ImportOptions& options, DataColumns& columns) {
  if (!options.kernel.empty()) return;
  for (const TableLevel level : kLevels) {
    columns.level = level;
    columns.name = finder.at(to_string(level));
    if (columns.name >= 0) return;
  }
  finder.fail(
      "there is no column kernel, model or application; map one, or name the kernel of all rows");
}

int level_column(const Finder& finder, const ImportOptions& options) {
  if (!options.kernel.empty()) return -1;
  for (const TableLevel level : kLevels)
    if (finder.at(to_string(level)) >= 0) return -1;
  const int at = finder.at(kLevelColumn);
  if (at >= 0 && finder.at(kNameColumn) < 0)
    finder.fail("there is a column level but no column name, which says what each row is");
  return at;
}

void check_separators(const CsvLine& header, const Finder& finder) {
  if (!header.fault.empty()) finder.fail(header.fault);
  if (header.cells.size() == 1 && header.cells[0].find(';') != std::string::npos)
    finder.fail("columns are apart by ';': write them with ','");
}

}  // namespace

std::optional<TableLevel> find_table_level(std::string_view word) {
  for (const TableLevel level : kLevels)
    if (word == to_string(level)) return level;
  return std::nullopt;
}

int find_level_column(const CsvLine& header, const std::string& origin,
                      const ImportOptions& options) {
  Finder finder(header, origin);
  check_separators(header, finder);
  finder.name_all(options.columns);
  return level_column(finder, options);
}

const char* to_string(TableLevel level) {
  switch (level) {
    case TableLevel::kernel:
      return "kernel";
    case TableLevel::model:
      return "model";
    case TableLevel::application:
      return "application";
  }
  return "";
}

const std::vector<std::string>& data_labels() {
  static const std::vector<std::string> labels{"device",  "delegate", "precision",
                                               "runtime", "network",  "source"};
  return labels;
}

DataColumns find_columns(const CsvLine& header, const std::string& origin,
                         const ImportOptions& options, std::optional<TableLevel> level) {
  Finder finder(header, origin);
  check_separators(header, finder);
  finder.name_all(options.columns);
  DataColumns columns;
  const int of_level = level ? level_column(finder, options) : -1;
  if (level) {
    columns.level = *level;
    columns.name = finder.at(kNameColumn);
  } else {
    find_level(finder, options, columns);
  }
  find_quantities(finder, columns);
  const auto& labels = data_labels();
  for (int i = 0; i < static_cast<int>(header.cells.size()); ++i) {
    const std::string& name = finder.given()[static_cast<std::size_t>(i)];
    if (columns.level == TableLevel::kernel && is_kernel_column(name))
      columns.sizes.emplace_back(i, name);
    else if (level && (i == of_level || is_kernel_column(name)))
      continue;  // of rows of the other levels
    else if (std::ranges::find(labels, name) != labels.end())
      columns.labels.emplace_back(i, name);
    else if (i != columns.name && i != columns.energy.column && i != columns.power.column &&
             i != columns.latency.column)
      columns.unused.push_back(header.cells[static_cast<std::size_t>(i)]);
  }
  return columns;
}

}  // namespace ampere
