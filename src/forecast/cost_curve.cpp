#include "forecast/cost_curve.h"

#include <algorithm>

namespace ampere {

CostCurve::CostCurve(const Forecast& forecast) : edges_(), values_(), integral_() {
  constexpr double kJoulesPerKilowattHour = 3.6e6;
  for (std::size_t i = 0; i < forecast.from.size(); ++i) {
    edges_.push_back(forecast.from[i].count());
    values_.push_back(forecast.per_kwh[i] / kJoulesPerKilowattHour);
    integral_.push_back(i == 0 ? 0
                               : integral_[i - 1] + values_[i - 1] * (edges_[i] - edges_[i - 1]));
  }
}

std::size_t CostCurve::piece_of(double time) const {
  const auto after = std::upper_bound(edges_.begin() + 1, edges_.end(), time);
  return static_cast<std::size_t>(after - edges_.begin()) - 1;
}

double CostCurve::until(double time) const {
  const std::size_t i = piece_of(time);
  return integral_[i] + values_[i] * (time - edges_[i]);
}

}  // namespace ampere
