#include "rig/sim_state.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr double kTick = 1.0 / (1 << 30);     // s
constexpr double kQuantum = 1.0 / (1 << 20);  // J
constexpr double kClocksStayUp = 3;           // s

std::int64_t whole_quanta(double energy_j) {
  return static_cast<std::int64_t>(std::floor(energy_j / kQuantum));
}

}  // namespace

void SimState::restart(double phase, double start_c) {
  base_ticks_ += ticks_;
  base_quanta_ += whole_quanta(metered_j_);
  ticks_ = 0;
  loaded_ticks_.reset();
  energy_j_ = metered_j_ = 0;
  phase_ = phase;
  temperature_c_ = start_c;
}

void SimState::advance(double seconds, double watts) {
  const std::int64_t before = ticks_;
  ticks_ += std::llround(seconds / kTick);
  energy_j_ += watts * static_cast<double>(ticks_ - before) * kTick;
  step_meter(before, ticks_, watts);

  const SimThermalLaw& thermal = law_.thermal;
  const double settled_c = thermal.ambient_c + thermal.k_per_w * watts;
  temperature_c_ += (settled_c - temperature_c_) * -std::expm1(-seconds / thermal.time_constant_s);
}

void SimState::train(double seconds, double watts) {
  advance(seconds, watts);
  loaded_ticks_ = ticks_;
}

double SimState::resting_watts() const {
  const bool up =
      loaded_ticks_ && static_cast<double>(ticks_ - *loaded_ticks_) * kTick < kClocksStayUp;
  return up ? law_.static_w : law_.idle_w;
}

// The steps of the meter are at (k + phase) · period.
void SimState::step_meter(std::int64_t before, std::int64_t after, double watts) {
  const double period_s = law_.meter.period_s;
  if (period_s == 0) {
    metered_j_ = energy_j_;
    return;
  }
  const auto steps_until = [&](std::int64_t ticks) {
    return std::floor(static_cast<double>(ticks) * kTick / period_s - phase_);
  };
  const double steps = steps_until(after) - steps_until(before);
  if (steps <= 0) return;
  if (law_.meter.sampled) {
    metered_j_ += steps * watts * period_s;
    return;
  }
  const double last_step_s = (steps_until(after) + phase_) * period_s;
  const double since_s = static_cast<double>(after) * kTick - last_step_s;
  metered_j_ = std::max(metered_j_, energy_j_ - watts * since_s);
}

Seconds SimState::now() const { return Seconds(static_cast<double>(base_ticks_ + ticks_) * kTick); }

Joules SimState::metered() const {
  return {static_cast<double>(base_quanta_ + whole_quanta(metered_j_)) * kQuantum};
}

double SimState::clock() const {
  const SimThermalLaw& thermal = law_.thermal;
  const double over = (temperature_c_ - thermal.throttle_c) / thermal.throttle_range_c;
  return 1 - (1 - thermal.slowest) * std::clamp(over, 0.0, 1.0);
}

}  // namespace ampere
