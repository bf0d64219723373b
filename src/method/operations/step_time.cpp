#include "method/operations/step_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ampere {
namespace {

constexpr double kLeastScale = 0.9, kScaleStep = 0.02;
constexpr int kScales = 18;  // up to 1.24
constexpr double kPowers[] = {6, 10, 16, 30};
constexpr double kGaps[] = {0, 0.2e-3, 0.5e-3, 0.8e-3};

double mean_error(const StepTimeLaw& law, std::span<const StepTimeRow> rows) {
  double sum = 0;
  for (const StepTimeRow& row : rows)
    sum += std::abs(law.seconds(row.host_s, row.device_s) / row.time_s - 1);
  return sum / static_cast<double>(rows.size());
}

}  // namespace

double StepTimeLaw::seconds(double host_s, double device_s) const {
  const double a = host_scale * host_s, b = device_s > 0 ? device_s + gap_s : 0;
  const double most = std::max(a, b);
  if (!(most > 0)) return 0;
  return most * std::pow(std::pow(a / most, power) + std::pow(b / most, power), 1 / power);
}

StepTimeLaw fit_step_time(std::span<const StepTimeRow> rows) {
  StepTimeLaw best;
  if (rows.empty()) return best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kScales; ++i)
    for (const double power : kPowers)
      for (const double gap : kGaps) {
        const StepTimeLaw law{kLeastScale + kScaleStep * i, power, gap};
        const double error = mean_error(law, rows);
        if (error < least) least = error, best = law;
      }
  return best;
}

}  // namespace ampere
