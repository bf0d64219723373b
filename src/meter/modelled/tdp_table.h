// Facts from the makers, as far as known; spot-check before relying on one, written by hand.
#pragma once

#include <span>

#include "meter/modelled/tdp.h"

namespace ampere {

std::span<const Tdp> processor_tdps();  // by the whole name
std::span<const Tdp> board_tdps();      // by the beginning of the board's name

}  // namespace ampere
