#include "method/operations/operation_laws.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

// Relative standard deviations, from programs that were left out.
constexpr double kHostDeviation = 0.13;     // of the host's time
constexpr double kSumDeviation = 0.02;      // of times alone against the same in a program
constexpr double kEnergyDeviation = 0.045;  // of the energy law when all times are known

// How much of a smooth maximum changes with the device's time.
double share_of_device(double device_s, double time_s) {
  constexpr double kPower = 6;
  return time_s > 0 ? std::clamp(std::pow(device_s / time_s, kPower), 0.0, 1.0) : 0;
}

// Of a measured host time against the map's: a host may be much slower than when it was profiled,
// and a single short measurement errs, too.
constexpr double kMeasuredWeight = 0.85;

// A device at its power limit lowers its clock to f of what it was, and its voltage with it, until
// the power fits: P0 + (P − P0) f³ = limit. The time grows by 1/f, and the same work takes f² of
// its energy.
void lower_clock(ComposedStep& step, double ready_w, double limit_w) {
  constexpr double kLeastPower = 1e-3;  // of the work, where the law is beyond all reason
  const double work_w = step.energy_j / step.time_s - ready_w;
  const double clock = std::cbrt(std::max((limit_w - ready_w) / work_w, kLeastPower));
  step.time_s /= clock;
  step.energy_j = limit_w * step.time_s;
  step.work_scale = clock * clock;
  step.power_limited = true;
}

}  // namespace

double combined_host_s(double mapped_s, const std::optional<double>& measured_s) {
  if (!measured_s) return mapped_s;
  if (!(mapped_s > 0)) return *measured_s;
  return std::pow(mapped_s, 1 - kMeasuredWeight) * std::pow(*measured_s, kMeasuredWeight);
}

double ErrorShares::deviation(double of_device) const {
  return std::hypot(std::hypot(device * of_device, host), sum, law);
}

// With share the part of the time that is the device's, f_T = P0 T / E and f_S = P1 S / E:
//   σ_T² = (share σ_S)² + ((1 − share) σ_h)² + σ_sum²
//   σ_E² = (f_T share σ_S + f_S σ_S)² + (f_T (1 − share) σ_h)² + (f_T σ_sum)² + σ_law²
ComposedStep compose(const OperationLaws& laws, Knowledge knowledge, double host_s,
                     const DeviceSum& device, const WorkTerms& work,
                     const std::optional<double>& power_limit_w) {
  ComposedStep step;
  step.host_s = host_s;
  step.device_s = device.seconds;
  step.time_s = laws.time[static_cast<std::size_t>(knowledge)].seconds(host_s, device.seconds);
  step.energy_j = laws.energy.joules(step.time_s, device.seconds, work);
  const double share = share_of_device(device.seconds, step.time_s);
  const double of_host = (1 - share) * kHostDeviation;
  step.device_deviation = std::hypot(device.deviation, kSumDeviation);
  step.time_errors = {share, of_host, kSumDeviation, 0};
  step.time_deviation = step.time_errors.deviation(device.deviation);
  const double by_time = step.energy_j > 0 ? laws.energy.ready_w * step.time_s / step.energy_j : 0;
  const double by_device =
      step.energy_j > 0 ? laws.energy.busy_w * (device.seconds - work.drawn_s) / step.energy_j : 0;
  step.energy_errors = {by_time * share + by_device, by_time * of_host, by_time * kSumDeviation,
                        kEnergyDeviation};
  step.energy_deviation = step.energy_errors.deviation(device.deviation);
  if (power_limit_w && step.energy_j > *power_limit_w * step.time_s)
    lower_clock(step, laws.energy.ready_w, *power_limit_w);
  return step;
}

}  // namespace ampere
