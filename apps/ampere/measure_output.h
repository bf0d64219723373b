// The output of `ampere measure`, as text and as JSON.
#pragma once

#include "base/json.h"
#include "measure/measure.h"
#include "report/exports.h"

namespace ampere {

std::string measure_text(const CommandUsage& result);
Json measure_json(const CommandUsage& result, const std::vector<std::string>& command);
// All runs whose energy is known together; nothing when there is none.
std::optional<Footprint> footprint_of(const CommandUsage& result,
                                      const std::vector<std::string>& command);

}  // namespace ampere
