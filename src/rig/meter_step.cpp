#include "rig/meter_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr Seconds kMeterPatience{2};
constexpr double kPatiencePeriods = 20;

}  // namespace

Mark mark(Meter& meter, Clock& clock) {
  const Seconds before = clock.now();
  Reading reading = meter.read();
  const Joules energy = total(meter.info(), reading);
  return {before, clock.now(), std::move(reading), energy};
}

Mark next_step(Meter& meter, Clock& clock, const std::function<void()>& meanwhile) {
  const Mark first = mark(meter, clock);
  const Seconds period = meter.info().update_period;
  if (period.count() <= 0) return first;
  const Seconds patience = std::max(kMeterPatience, kPatiencePeriods * period);
  Mark now = first;
  while (now.energy <= first.energy) {
    if (now.before - first.before > patience)
      throw Error(ErrorCode::failed,
                  fmt::format("the meter {} stood still for {:.1f} s; is the device still there?",
                              meter.info().name, patience.count()));
    meanwhile();
    now = mark(meter, clock);
  }
  return now;
}

}  // namespace ampere
