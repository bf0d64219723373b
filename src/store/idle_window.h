// The power of a profile's device at rest, with its clocks up: one window, kept beside the
// observations.
#pragma once

#include <optional>

#include "ampere/store.h"

namespace ampere {

void put_idle(Store& store, std::int64_t profile, const Window& window);
std::optional<Window> find_idle(const Store& store, std::int64_t profile);

}  // namespace ampere
