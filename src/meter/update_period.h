// How often a sensor shows something new, found by looking.
#pragma once

#include <functional>
#include <optional>

#include "ampere/units.h"

namespace ampere {

// Looks as often as `poll` until the value has changed a few times: the median time between
// changes, 0 when it is new at every look. Absent when it did not change within `patience`; one
// that did is given longer, for a second change at least. Passes on what `value` throws.
std::optional<Seconds> find_update_period(const std::function<double()>& value, Seconds patience,
                                          Seconds poll = Seconds{0.0002});

}  // namespace ampere
