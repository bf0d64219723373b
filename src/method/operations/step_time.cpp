#include "method/operations/step_time.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ampere {
namespace {

constexpr double kLeastScale = 0.9, kScaleStep = 0.02;
constexpr int kScales = 18;  // up to 1.24
constexpr double kPowers[] = {4, 6, 8, 11, 16, 30};
constexpr double kGaps[] = {0, 0.2e-3, 0.5e-3, 0.8e-3};
constexpr double kInTurnsOnGpu[] = {1, 1.01, 1.02, 1.03};
constexpr double kInTurnStep = 0.02;
constexpr int kInTurns = 51;  // up to 2

// A dozen programs say little about how host and device overlap where both take about as long. What
// is usual counts beside them like so many programs, at these times of the host and of the device.
constexpr double kUsualPrograms = 14;
constexpr double kUsualTimes_s[] = {2e-3, 4e-3, 8e-3, 16e-3, 32e-3, 64e-3};

std::vector<StepTimeRow> usual_rows() {
  const StepTimeLaw usual = usual_step_time();
  std::vector<StepTimeRow> rows;
  for (const double host_s : kUsualTimes_s)
    for (const double device_s : kUsualTimes_s)
      rows.push_back({host_s, device_s, usual.seconds(host_s, device_s)});
  return rows;
}

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

  void offer(const StepTimeLaw& law, double off = 0) {
    const double error = mean_error(law, rows_) + off / static_cast<double>(rows_.size());
    if (error < least_) least_ = error, best_ = law;
  }
  const StepTimeLaw& best() const { return best_; }

 private:
  std::span<const StepTimeRow> rows_;
  double least_ = std::numeric_limits<double>::infinity();
  StepTimeLaw best_;
};

struct OfferedLaw {
  StepTimeLaw law;
  double off = 0;  // mean relative difference from the usual law
};

const std::vector<OfferedLaw>& laws_on_gpu() {
  static const std::vector<OfferedLaw> laws = [] {
    const std::vector<StepTimeRow> usual = usual_rows();
    std::vector<OfferedLaw> all;
    for (int i = 0; i < kScales; ++i)
      for (const double power : kPowers)
        for (const double gap : kGaps)
          for (const double in_turn : kInTurnsOnGpu) {
            const StepTimeLaw law{kLeastScale + kScaleStep * i, power, gap, in_turn};
            all.push_back({law, mean_error(law, usual)});
          }
    return all;
  }();
  return laws;
}

}  // namespace

StepTimeLaw usual_step_time() { return {1.06, 6, 0, 1.01}; }

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
  for (const auto& [law, off] : laws_on_gpu()) found.offer(law, kUsualPrograms * off);
  return found.best();
}

}  // namespace ampere
