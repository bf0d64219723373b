#include "ampere/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "base/stats.h"

namespace ampere {
namespace {

struct Rate {  // per iteration, of one window
  double weight = 0;
  double value = 0;
};

// Windows weigh by their iterations nᵢ, so that the mean is Σxᵢ/Σnᵢ: all of it over all iterations.
// With wᵢ = nᵢ/Σn and k windows, the standard error is √( k/(k−1) · Σ wᵢ²(rᵢ−r̄)² ), which is the
// usual s/√k when the windows are equally long. One window says nothing about the spread.
Quantity statistic(const std::vector<Rate>& rates) {
  double weights = 0, sum = 0;
  for (const Rate& rate : rates) {
    weights += rate.weight;
    sum += rate.weight * rate.value;
  }
  Quantity result{sum / weights};
  if (rates.size() < 2) return result;
  double squares = 0;
  for (const Rate& rate : rates)
    squares += std::pow(rate.weight / weights * (rate.value - result.mean), 2);
  const auto count = static_cast<double>(rates.size());
  result.stddev = std::sqrt(count / (count - 1) * squares);
  result.degrees = count - 1;
  return result;
}

void check(const Window& window, std::size_t index) {
  const bool sound = window.iterations > 0 && std::isfinite(window.time.count()) &&
                     window.time.count() > 0 && std::isfinite(window.energy.value) &&
                     window.energy.value >= 0;
  if (!sound)
    throw Error(ErrorCode::failed,
                fmt::format("window {} is invalid: {} iterations in {} s with {} J", index + 1,
                            window.iterations, window.time.count(), window.energy.value));
}

}  // namespace

Precision steadier(Precision precision) {
  constexpr int kWindows = 6;
  constexpr double kTimes = 3;
  constexpr Seconds kPatience{60};
  precision.relative_error /= 2;
  precision.time_limit *= kTimes;
  precision.min_windows = std::max(precision.min_windows, kWindows);
  precision.calm_within = kPatience;
  return precision;
}

double upper_bound(const Quantity& quantity, double probability) {
  if (!quantity.stddev) return std::numeric_limits<double>::infinity();
  return quantity.mean + student_quantile(probability, quantity.degrees) * *quantity.stddev;
}

std::int64_t counted_windows(const Measurement& measurement) {
  return std::ranges::count_if(measurement.windows, &std::string::empty, &Window::rejected);
}

void summarize(Measurement& measurement) {
  std::vector<Rate> energies, times;
  for (std::size_t i = 0; i < measurement.windows.size(); ++i) {
    const Window& window = measurement.windows[i];
    if (!window.rejected.empty()) continue;
    check(window, i);
    const auto iterations = static_cast<double>(window.iterations);
    energies.push_back({iterations, window.energy.value / iterations});
    times.push_back({iterations, window.time.count() / iterations});
  }
  if (energies.empty()) {
    const std::string why =
        measurement.windows.empty()
            ? "no window was taken"
            : fmt::format("all {} windows were rejected, the last one for: {}",
                          measurement.windows.size(), measurement.windows.back().rejected);
    throw Error(ErrorCode::failed, "nothing was measured: " + why);
  }
  measurement.energy_j = statistic(energies);
  measurement.time_s = statistic(times);
}

}  // namespace ampere
