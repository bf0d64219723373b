// Statistics of small samples.
#pragma once

#include <span>

namespace ampere {

double mean(std::span<const double> values);            // NaN when empty
double standard_error(std::span<const double> values);  // of the mean; 0 for one value
double median(std::span<const double> values);          // NaN when empty
double normal_quantile(double probability);             // inverse of the standard normal CDF

}  // namespace ampere
