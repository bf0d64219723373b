// A cost of widths as lines of JSON, for programs that search.
#pragma once

#include "ampere/session.h"
#include "base/json.h"
#include "widths/width_cost.h"

namespace ampere {

// The first line: which widths there are, and what answers.
Json width_cost_head(const std::string& model, const WidthCost& cost, const Answer& answer);

// A request is {"widths": [[64, 128], …]}, or for many points {"packed": …}, the same numbers one
// after the other as doubles in base64; with "gradient": true also the gradient is asked for, and
// with "confidence": 0.9 the interval. The answer has energy_j, energy_sd, time_s, gradient,
// energy_low_j and energy_high_j in the same form; what is not known is null, or not a number where
// it is packed. normal_intervals says whether an interval of another confidence follows from
// energy_sd. Throws Error(usage) naming the field.
Json answer_width_request(const Json& request, WidthCost& cost);

}  // namespace ampere
