// Linear programs, solved by CLP, the simplex solver of CBC. It is a library of its own that is
// loaded when the first program is made: it brings along a BLAS that starts threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ampere/progress.h"
#include "ampere/units.h"

namespace ampere {

struct LpEntry {
  int row = 0;
  double value = 0;
};

struct LpSolution {
  double value = 0;
  std::vector<double> columns, row_prices;  // the latter: change of the value per unit of the row
};

// Minimises a cost over columns that are at least 0. Rows come first, then columns, and more
// columns after a solution, which is then the start for the next one.
class LinearProgram {
 public:
  virtual ~LinearProgram() = default;
  virtual int add_row(double lower, double upper) = 0;  // may be infinite; returns its index
  virtual int add_column(double cost, std::span<const LpEntry> entries) = 0;
  // Throws Error(failed) if it has no optimum, Error(interrupted).
  virtual LpSolution solve() = 0;
};

// Throws Error(failed) when the solver is not there.
std::unique_ptr<LinearProgram> make_linear_program(StopToken stop);

// What the library exports.
constexpr const char* kSolverSymbol = "ampere_make_linear_program";
using SolverFunction = LinearProgram* (*)(const StopToken& stop);

}  // namespace ampere
