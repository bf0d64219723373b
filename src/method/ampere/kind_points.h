// What the published method knows of each kind: its points, after subtraction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/profiling.h"
#include "ampere/store.h"
#include "method/ampere/fit.h"

namespace ampere {

// Of every kind that the profile has a fit of. Throws Error(unknown) when it has none.
std::vector<KindPoints> kind_points(const Store& store, const ProfileRow& profile);

}  // namespace ampere
