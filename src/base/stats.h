// Statistics of small samples.
#pragma once

#include <optional>
#include <span>

namespace ampere {

double mean(std::span<const double> values);            // throws Error(failed) when empty
double geometric_mean(std::span<const double> values);  // of positive ones; throws as mean() does
// Both are unknown from fewer than two values.
std::optional<double> standard_deviation(std::span<const double> values);
std::optional<double> standard_error(std::span<const double> values);  // of the mean
double median(std::span<const double> values);  // throws Error(failed) when empty
// Of values in any order, between neighbours by their distance; throws Error(failed) when empty.
double quantile(std::span<const double> values, double probability);
double normal_quantile(double probability);  // inverse of the standard normal CDF

// Inverse of the CDF of Student's t. The degrees of freedom are rounded down, to at least 1; with
// infinitely many it is the normal quantile.
double student_quantile(double probability, double degrees);

}  // namespace ampere
