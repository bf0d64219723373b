// Measured energies of inference as tables that people exchange: of kernels, of whole networks, of
// applications. docs/kernel-data.md has the columns.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/meter.h"
#include "method/kernels/kernel.h"

namespace ampere {

enum class TableLevel { kernel, model, application };
const char* to_string(TableLevel level);  // also the name of the column that says what was measured

struct TableRow {
  std::string name = {};                           // a kernel's type, a network, an application
  KernelConfig config = {};                        // of a kernel
  std::map<std::string, std::string> labels = {};  // delegate, device, source, …
  double energy_j = 0;                             // of one inference
  std::optional<double> power_w = {}, latency_s = {};
  int line = 0;  // of the file it was read from
};

struct EnergyTable {
  TableLevel level = TableLevel::kernel;
  std::map<std::string, std::string> environment;  // device, runtime, meter, … : the same for all
  std::vector<TableRow> rows;
};

struct ImportOptions {
  // What this file calls the columns that ampere knows: "energy_mj=Energy(mJ),CIN=cin".
  std::string columns = {};
  std::string kernel = {};            // the type of all rows, in a file without that column
  std::optional<Source> source = {};  // of all energies, in a file that does not say
  double tolerance = 0.1;             // of energy against power × latency
  double repeat_tolerance = 0.15;     // of equal kernels against the mean of them
};

struct BadRow {
  int line = 0;
  std::string reason;
  friend bool operator==(const BadRow&, const BadRow&) = default;
};

struct TableImport {
  EnergyTable data;                // the rows that are good
  std::vector<BadRow> bad;         // all the others, by line
  std::vector<std::string> notes;  // columns without use, kernels with a single row, sizes that
                                   // never vary; each with its lines
};

// Throws Error(usage) for a table that cannot be understood as a whole: no column of energies (nor
// of power and latency), one quantity in two units, a mapping of columns that are not there, no
// rows. A row that is wrong is listed, and the others are read.
TableImport import_table(std::string_view csv, const std::string& origin,
                         const ImportOptions& options = {});

// How the energy of a row was found: by its own label, or the environment. Throws Error(usage) when
// neither says: nobody would know whether it was measured.
Source source_of(const EnergyTable& table, const TableRow& row);

// In millijoules, milliwatts and milliseconds, the environment as comment lines above.
std::string export_table(const EnergyTable& data);

}  // namespace ampere
