#include "base/stats.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr double kManyDegrees = 1000;  // from here on the normal quantile is right to 3 digits

double variance(std::span<const double> values) {
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return squares / static_cast<double>(values.size() - 1);
}

// Where a monotone condition stops to hold. Bisection is exact to the last digits and has no magic
// numbers.
template <class Below>
double bisect(double low, double high, const Below& below) {
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = (low + high) / 2;
    (below(middle) ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Abramowitz and Stegun 26.7.3 and 26.7.4, for t = √ν · tan θ: with c = cos θ, P(|T| < t) is
// sin θ · (1 + 1/2 c² + 1·3/(2·4) c⁴ + … + c^(ν−2)) for even ν and
// 2/π · (θ + sin θ · (c + 2/3 c³ + 2·4/(3·5) c⁵ + … + c^(ν−2))) for odd ν.
double student_cdf(double angle, int degrees) {
  const bool odd = degrees % 2 == 1;
  const double c = std::cos(angle);
  double sum = 0, term = odd ? c : 1;
  for (int power = odd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term;
    term *= c * c * (power + 1) / (power + 2);
  }
  const double both =
      odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return (1 + both) / 2;
}

void require_values(std::span<const double> values) {
  if (values.empty()) throw Error(ErrorCode::failed, "nothing has no average");
}

}  // namespace

double mean(std::span<const double> values) {
  require_values(values);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double geometric_mean(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return std::exp(mean(logs));
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return std::sqrt(variance(values));
}

std::optional<double> standard_error(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return std::sqrt(variance(values) / static_cast<double>(values.size()));
}

double median(std::span<const double> values) {
  require_values(values);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double quantile(std::span<const double> values, double probability) {
  require_values(values);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double place = std::clamp(probability, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

// Whoever judges many networks asks for one probability again and again.
double normal_quantile(double probability) {
  thread_local double last = 0.5, quantile = 0;
  if (probability != last) {
    quantile =
        bisect(-40, 40, [&](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2 < probability; });
    last = probability;
  }
  return quantile;
}

double student_quantile(double probability, double degrees) {
  if (!(degrees < kManyDegrees)) return normal_quantile(probability);
  const int whole = std::max(1, static_cast<int>(degrees));
  // As an angle t = √ν · tan θ, so that the search has ends.
  const double end = std::numbers::pi / 2;
  const double angle =
      bisect(-end, end, [&](double x) { return student_cdf(x, whole) < probability; });
  return std::sqrt(whole) * std::tan(angle);
}

}  // namespace ampere
