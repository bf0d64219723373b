// Gives a meter that only counts the state of its device.
#pragma once

#include <functional>

#include "ampere/meter.h"

namespace ampere {

// Counts as `meter` does. The state is what `read_state` says, asked at most once a period of the
// meter and never by two threads at once: what lies between is remembered, so that asking is cheap.
std::unique_ptr<Meter> with_state(std::unique_ptr<Meter> meter,
                                  std::function<MeterState()> read_state);

}  // namespace ampere
