// The parts of an evaluation as JSON.
#pragma once

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

Json predicted_json(const std::optional<Interval>& predicted);  // null where there is none

}  // namespace ampere
