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
constexpr double kInTurnStep = 0.02;
constexpr int kInTurns = 51;  // up to 2

double mean_error(const StepTimeLaw& law, std::span<const StepTimeRow> rows) {
  double sum = 0;
  for (const StepTimeRow& row : rows)
    sum += std::abs(law.seconds(row.host_s, row.device_s) / row.time_s - 1);
  return sum / static_cast<double>(rows.size());
}

// The law of the least error among those that are offered.
class BestLaw {
 public:
  explicit BestLaw(std::span<const StepTimeRow> rows) : rows_(rows) {}

  void offer(const StepTimeLaw& law) {
    const double error = mean_error(law, rows_);
    if (error < least_) least_ = error, best_ = law;
  }
  const StepTimeLaw& best() const { return best_; }

 private:
  std::span<const StepTimeRow> rows_;
  double least_ = std::numeric_limits<double>::infinity();
  StepTimeLaw best_;
};

}  // namespace

double StepTimeLaw::seconds(double host_s, double device_s) const {
  const double a = host_scale * host_s, b = device_s > 0 ? in_turn * device_s + gap_s : 0;
  const double most = std::max(a, b);
  if (!(most > 0)) return 0;
  return most * std::pow(std::pow(a / most, power) + std::pow(b / most, power), 1 / power);
}

StepTimeLaw fit_step_time(std::span<const StepTimeRow> rows) {
  if (rows.empty()) return {};
  BestLaw found(rows);
  if (std::ranges::all_of(rows, [](const StepTimeRow& row) { return row.host_s == 0; })) {
    for (int i = 0; i < kInTurns; ++i) found.offer({.in_turn = 1 + kInTurnStep * i});
    return found.best();
  }
  for (int i = 0; i < kScales; ++i)
    for (const double power : kPowers)
      for (const double gap : kGaps)
        found.offer({.host_scale = kLeastScale + kScaleStep * i, .power = power, .gap_s = gap});
  return found.best();
}

}  // namespace ampere
