#include <fmt/format.h>

#include "ampere/error.h"
#include "base/plugin.h"
#include "schedule/linear_program.h"

namespace ampere {
namespace {

SolverFunction load() try {
  return reinterpret_cast<SolverFunction>(plugin_symbol("clp", kSolverSymbol));
} catch (const Error& error) {
  throw error.saying(fmt::format(
      "nothing can be planned: {}: install CLP and this program completely", error.what()));
}

}  // namespace

std::unique_ptr<LinearProgram> make_linear_program(StopToken stop) {
  static const SolverFunction make = load();
  return std::unique_ptr<LinearProgram>(make(stop));
}

}  // namespace ampere
