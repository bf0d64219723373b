// The output of `ampere measure`, as text and as JSON.
#pragma once

#include "base/json.h"
#include "measure/measure.h"

namespace ampere {

std::string measure_text(const CommandUsage& result);
Json measure_json(const CommandUsage& result, const std::vector<std::string>& command);

}  // namespace ampere
