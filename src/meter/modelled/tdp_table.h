// Thermal design powers by processor name: facts of the makers, written down by hand. Not every row was
// checked against a data sheet; give your own with modelled:tdp=W where it matters.
#pragma once

#include <span>

#include "meter/modelled/tdp.h"

namespace ampere {

std::span<const Tdp> processor_tdps();  // by the whole name
std::span<const Tdp> board_tdps();      // by the beginning of the board's name

}  // namespace ampere
