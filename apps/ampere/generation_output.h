// What generating text costs, as text.
#pragma once

#include "generating.h"

namespace ampere {

void print_generation(const Generated& generated);

}  // namespace ampere
