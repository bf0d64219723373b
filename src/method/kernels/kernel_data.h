// Tables of measured energies, as the predictors read them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/kernels.h"

namespace ampere {

// How the energy of a row was found: by its own label, or the environment. Throws Error(usage) when
// neither says: nobody would know whether it was measured.
Source source_of(const EnergyTable& table, const TableRow& row);

// "kernel", "model" and "application"; nothing for other words.
std::optional<TableLevel> find_table_level(std::string_view word);

// All levels of one device as one file: the column `level` says what a row is of, `name` what it
// is, and `source` how its energy was found. The tables have the same environment.
std::string export_tables(std::span<const EnergyTable> tables);

// One table per level in the file; a file without the column `level` is one table. Bad rows whose
// level is unknown are in the first one. Throws as import_table does.
std::vector<TableImport> import_tables(std::string_view csv, const std::string& origin,
                                       const ImportOptions& options = {});

}  // namespace ampere
