// The integral of a forecast over time.
#pragma once

#include <vector>

#include "forecast/forecast.h"

namespace ampere {

class CostCurve {
 public:
  CostCurve() = default;  // 0 everywhere
  explicit CostCurve(const Forecast& forecast);

  // What one watt costs from begin to end: the integral of the values per joule.
  double between(double begin, double end) const { return until(end) - until(begin); }

  // Where the value changes; the first is 0.
  const std::vector<double>& edges() const { return edges_; }
  double value_at(double time) const { return values_[piece_of(time)]; }  // per joule

 private:
  double until(double time) const;
  std::size_t piece_of(double time) const;

  std::vector<double> edges_{0.}, values_{0.}, integral_{0.};
};

}  // namespace ampere
