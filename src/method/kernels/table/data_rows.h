// Rows of a table as measurements, or the reason why one is none.
#pragma once

#include <string>
#include <variant>

#include "method/kernels/table/data_columns.h"

namespace ampere {

std::variant<TableRow, BadRow> read_row(const CsvLine& line, std::size_t cells,
                                        const DataColumns& columns, const ImportOptions& options);

}  // namespace ampere
