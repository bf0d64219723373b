// Prints an estimate as text.
#pragma once

#include <string>

#include "report/estimate_json.h"

namespace ampere {

// What the table of an estimate by operations lists.
enum class Shares { groups, modules };

void print_estimate(const EstimateReport& report, const Conversions& conversions,
                    Shares shares = Shares::groups);

}  // namespace ampere
