// Prints an estimate as text.
#pragma once

#include <string>

#include "report/estimate_json.h"

namespace ampere {

// Joules of "4500mAh@3.85V", "50Wh" or "180000J". Throws Error(usage).
double parse_battery(const std::string& text);

// What the table of an estimate by operations lists.
enum class Shares { groups, modules };

void print_estimate(const EstimateReport& report, const Conversions& conversions,
                    Shares shares = Shares::groups);

}  // namespace ampere
