// Networks of the zoo, small enough to train in a moment.
#pragma once

#include <functional>

#include "ampere/model.h"

namespace ampere::testing_support {

// Images of 96 × 96 at most, widths near 8.
Model small_version(const ZooEntry& entry);

// What one of them throws is a failure that names it, and the next ones follow.
void for_each_network(const std::function<void(const ZooEntry&)>& claim);

}  // namespace ampere::testing_support
