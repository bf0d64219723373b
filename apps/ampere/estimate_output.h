// An estimate as text.
#pragma once

#include <string>

#include "report/estimate_json.h"

namespace ampere {

// "4500mAh@3.85V", "50Wh", "180000J"; throws Error(usage).
double parse_battery(const std::string& text);

void print_estimate(const EstimateReport& report, const Conversions& conversions);

}  // namespace ampere
