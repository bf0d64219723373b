// Comma-separated text, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampere {

struct CsvLine {
  int number = 0;  // counted from 1
  std::vector<std::string> cells;
  std::string fault;  // why the cells cannot be told apart; empty when they can
};

struct CsvTable {
  std::vector<CsvLine> comments;  // lines that begin with '#', as one cell without it
  CsvLine header;
  std::vector<CsvLine> rows;  // empty lines left out
};

// Cells may be quoted, with quotes doubled inside; they do not reach over lines. Spaces around
// cells do not count. Throws Error(usage) when there is no header or the header has a
// fault.
CsvTable parse_csv(std::string_view text, const std::string& origin);

// Which columns of this header go by other names: "energy_j=Energy (J), CIN=cin" is ours=theirs.
// Throws Error(usage) naming the line for what is not of that form and for a column that is not
// there.
struct ColumnAlias {
  std::string name;
  std::size_t column = 0;
};
std::vector<ColumnAlias> parse_column_aliases(const std::string& mapping, const CsvLine& header,
                                              const std::string& origin);

std::string csv_cell(const std::string& text);  // quoted where it has to be

}  // namespace ampere
