// Formats text: numbers with units, tables with aligned columns.
#pragma once

#include <string>
#include <vector>

#include "ampere/block.h"

namespace ampere {

inline constexpr const char* kUnknown = "–";  // in a table

std::string with_unit(double value, const std::string& unit);  // 0.0123, "J" → "12.3 mJ"
std::string large_count(double value);                         // 1814073344 → "1.81 G"
std::string percent(double share);                             // 0.123 → "12.3 %"
std::string signed_percent(double share);                      // 0.123 → "+12.3 %"
std::string duration(double seconds);                          // 83 → "1 min 23 s"
std::string feature_text(const std::vector<std::string>& names,
                         const std::vector<std::int64_t>& values);
std::vector<std::string> feature_names(const std::vector<Feature>& features);

// The first row is the heading; columns whose cells are numbers are aligned right. The widest
// columns are cut until a line has no more than `most` characters; 0: none is cut.
std::string table_text(const std::vector<std::vector<std::string>>& rows, std::size_t most = 0);
// Cuts the table to the width of the terminal, unless everything is to be shown.
void print_table(const std::vector<std::vector<std::string>>& rows);
// A sentence, on a terminal broken at its edge; the lines after the first begin with `indent`
// blanks.
void print_wrapped(const std::string& text, std::size_t indent);

void show_everything();   // from now on, however wide it is
bool shows_everything();  // also where nobody has to fit it into a window: in a file or a pipe

}  // namespace ampere
