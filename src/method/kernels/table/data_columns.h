// Which column of a table says what.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "method/kernels/kernel_data.h"

namespace ampere {

struct Measured {
  int column = -1;   // -1: not in the table
  double scale = 1;  // to joules, watts, seconds
};

struct DataColumns {
  TableLevel level = TableLevel::kernel;
  int name = -1;  // -1: all rows are of the kernel the user named
  Measured energy, power, latency;
  std::vector<std::pair<int, std::string>> sizes, labels;
  std::vector<std::string> unused;
};

// The column that says of which level each row is; -1 in tables of one level, which have a column
// with the name of the level instead. Throws Error(usage) naming the line of the header.
int find_level_column(const CsvLine& header, const std::string& origin,
                      const ImportOptions& options);

// Of the rows of one level, where the table has several. Throws Error(usage) naming the line of the
// header.
DataColumns find_columns(const CsvLine& header, const std::string& origin,
                         const ImportOptions& options, std::optional<TableLevel> level = {});

const std::vector<std::string>& data_labels();

}  // namespace ampere
