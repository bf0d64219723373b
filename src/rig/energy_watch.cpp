#include "rig/energy_watch.h"

#include <algorithm>

#include "rig/measuring.h"
#include "rig/meter_step.h"

namespace ampere {
namespace {

constexpr double kPeriodsPerWindow = 5, kReadsPerPeriod = 10;
constexpr Seconds kShortestWindow{0.1};
constexpr Seconds kHostDelay{0.05};  // a busy host may delay even the shortest work by this much

Watts mean_power(Joules energy, Seconds time) {
  return {time.count() > 0 ? energy.value / time.count() : 0};
}

Watts power_before(const TrainingState& state) {
  Watts highest;
  for (const TrainingEpoch& epoch : state.epochs)
    highest = std::max(highest,
                       mean_power(epoch.energy + epoch.test_energy, epoch.time + epoch.test_time));
  return highest;
}

}  // namespace

EnergyLimit energy_limit(const TrainingTask& task) {
  return {task.stop_at, task.from.energy(), power_before(task.from)};
}

// A reading is up to two periods old, and a counter with a period follows the load with a delay. A
// counter without a period is exact.
EnergyWatch::EnergyWatch(Meter& meter, Clock& clock, const EnergyLimit& limit)
    : meter_(meter),
      clock_(clock),
      limit_(limit.most),
      before_(limit.before),
      peak_(limit.highest_power) {
  const Seconds period = meter.info().update_period;
  if (period.count() > 0) {
    lag_ = std::max(kMeterLag, 2 * period);
    settling_ = kMeterLag + 2 * period;
  }
  window_ = std::max(kPeriodsPerWindow * period, kShortestWindow);
  const Mark now = mark(meter, clock);
  began_ = window_begin_ = shown_at_ = now.reading.time;
  begin_ = window_energy_ = shown_ = now.energy;
}

void EnergyWatch::look() {
  const Mark now = mark(meter_, clock_);
  shown_ = now.energy;
  shown_at_ = now.reading.time;
  if (shown_at_ - window_begin_ < window_) return;
  peak_ = std::max(peak_, mean_power(shown_ - window_energy_, shown_at_ - window_begin_));
  window_begin_ = shown_at_;
  window_energy_ = shown_;
}

void EnergyWatch::settle() {
  const Seconds period = meter_.info().update_period;
  if (period.count() > 0) {
    clock_.sleep(kMeterLag);
    next_step(meter_, clock_, [&] { clock_.sleep(period / kReadsPerPeriod); });
  }
  look();
}

Watts EnergyWatch::highest_power() const {
  return std::max(peak_, mean_power(used(), shown_at_ - began_));
}

bool EnergyWatch::affords(Seconds work, double reserve) const {
  return !limit_ || in_all_after(work, reserve) <= *limit_;
}

Joules EnergyWatch::in_all_after(Seconds work, double reserve) const {
  return in_all() + highest_power() * (reserve * (lag_ + settling_ + work + kHostDelay));
}

}  // namespace ampere
