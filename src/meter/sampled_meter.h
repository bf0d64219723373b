// A meter over sensors of power: a background thread samples them, and the trapezoids between
// samples are summed to energy.
#pragma once

#include <functional>

#include "ampere/meter.h"
#include "meter/ticker.h"

namespace ampere {

struct PowerSensor {
  MeterDomain domain;
  std::function<Watts()> read;  // throws when it cannot, or must not (a battery being charged)
};

struct SamplingOptions {
  Seconds sample_every{0.05};  // in the background; 0: only when read
  // Without a sample for this long (the machine slept) what was used is unknown.
  Seconds longest_gap{5};
  std::function<Seconds()> now = steady_now;
};

// Takes the domains of `info` from the sensors. Throws whatever reading them throws. The meter
// throws Error(failed) after a gap, when a sensor vanished or gave a power that cannot be.
std::unique_ptr<Meter> make_sampled_meter(MeterInfo info, std::vector<PowerSensor> sensors,
                                          const SamplingOptions& options = {});

}  // namespace ampere
