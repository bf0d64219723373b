// Networks that nobody would draw.
#pragma once

#include "ampere/model.h"

namespace ampere {

// Of a dozen layers that divide, join, add, shuffle and norm channels, in modules and out of them.
Model random_network(unsigned seed);

}  // namespace ampere
