// The profiles that came with the program, as a store of their own that is only read.
#pragma once

#include <vector>

#include "ampere/store.h"

namespace ampere {

const Store& shipped_store();                   // in memory, filled at the first call
const std::vector<ProfileRow>& shipped_rows();  // of that store, each with its name

}  // namespace ampere
