// Short name of the public type inside of this module.
#pragma once

#include "ampere/program.h"

namespace ampere::lowering {
using ampere::Dialect;
}
