#include "meter/nvml/step_clock.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr double kRegular = 0.15;  // of a period
constexpr double kTrust = 0.3;     // in one watched step, once the period is known: calls take
                                   // time, so it jitters
constexpr double kFirstCheck = 10;
constexpr Seconds kRarestCheck{60};

}  // namespace

StepClock::StepClock(Seconds step, Seconds period)
    : origin_(step),
      period_(period),
      first_(step),
      interval_(kFirstCheck * period),
      check_at_(step + interval_) {}

std::int64_t StepClock::index_at(Seconds time) const {
  return static_cast<std::int64_t>(std::floor((time - origin_) / period_));
}

Seconds StepClock::time_of(std::int64_t index) const {
  return origin_ + static_cast<double>(index) * period_;
}

double StepClock::phase_at(Seconds time) const {
  return (time - time_of(index_at(time))) / period_;
}

// The longer the baseline, the better the period is known, and the longer it may go unchecked.
bool StepClock::correct(Seconds step) {
  const auto index = static_cast<std::int64_t>(std::llround((step - origin_) / period_));
  const Seconds expected = time_of(index);
  if (std::abs((step - expected) / period_) > kRegular) return false;
  since_first_ += index;
  if (since_first_ > 0) period_ = (step - first_) / static_cast<double>(since_first_);
  const double trust = interval_ < kRarestCheck ? 1 : kTrust;
  origin_ = expected + trust * (step - expected);
  interval_ = std::min(2 * interval_, kRarestCheck);
  check_at_ = step + interval_;
  return true;
}

}  // namespace ampere
