#include "rig/meter_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr Seconds kMeterTimeout{2};
constexpr double kTimeoutPeriods = 20;

}  // namespace

Mark mark(Meter& meter, Clock& clock) {
  const Seconds before = clock.now();
  Reading reading = meter.read();
  const Joules energy = total(meter.info(), reading);
  return {before, clock.now(), std::move(reading), energy};
}

Mark next_step(Meter& meter, Clock& clock, const std::function<void()>& wait) {
  const Mark first = mark(meter, clock);
  const Seconds period = meter.info().update_period;
  if (period.count() <= 0) return first;
  const Seconds timeout = std::max(kMeterTimeout, kTimeoutPeriods * period);
  Mark now = first;
  while (now.energy <= first.energy) {
    if (now.before - first.before > timeout)
      throw Error(
          ErrorCode::failed,
          fmt::format(
              "the meter {} stood still for {:.1f} s; check that the device is still connected",
              meter.info().name, timeout.count()));
    wait();
    now = mark(meter, clock);
  }
  return now;
}

}  // namespace ampere
