// Facts from data sheets, written by hand.
#pragma once

#include <span>

#include "meter/tdp.h"

namespace ampere {

std::span<const Tdp> processor_tdps();  // by the whole name
std::span<const Tdp> board_tdps();      // by the beginning of the board's name

}  // namespace ampere
