// How far predictions are from what was measured.
#pragma once

#include <optional>
#include <span>

namespace ampere {

struct Accuracy {  // ratios as fractions
  double mape = 0, bias = 0, rmspe = 0;
  double within_5 = 0, within_10 = 0, within_15 = 0;
  std::optional<double> coverage;  // share inside the stated interval; absent when none was stated
};

struct Predicted {
  double mean = 0;
  std::optional<double> low, high;
};

// Throws Error(failed) when there is nothing to compare.
Accuracy accuracy(std::span<const Predicted> predicted, std::span<const double> measured);

}  // namespace ampere
