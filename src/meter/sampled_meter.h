// A meter over sensors of power: a background thread samples them, and the trapezoids between
// samples are summed to energy.
#pragma once

#include <functional>

#include "ampere/meter.h"
#include "base/steady_now.h"

namespace ampere {

struct PowerSensor {
  MeterDomain domain;
  std::function<Watts()> read;  // throws when it cannot, or must not (a battery being charged)
};

struct SamplingOptions {
  Seconds sample_every{0.05};  // in the background; 0: only when read
  // Without a sample for this long (the program was stopped) what was used is unknown.
  Seconds longest_gap{5};
  Watts most_power{10000};  // of one sensor; more cannot be
  // At opening, to see how often the first sensor of the total shows something new; 0: `info` says
  // it already.
  Seconds patience{0};
  std::function<Seconds()> now = steady_now;
};

// Takes the domains of `info` from the sensors, and with some patience its period, which is never
// shorter than that of the samples. Throws Error(no_meter) when there is no sensor or when the
// total stays at 0 W while it is looked at, and whatever reading them throws. The meter throws
// Error(failed) after a gap, when a sensor vanished or gave a power that cannot be.
std::unique_ptr<Meter> make_sampled_meter(MeterInfo info, std::vector<PowerSensor> sensors,
                                          const SamplingOptions& options = {});

}  // namespace ampere
