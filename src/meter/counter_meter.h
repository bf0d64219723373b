// A meter over hardware counters that run on by themselves and start again at 0 when they are full:
// RAPL zones, hwmon energy sensors. A background thread looks often enough that no wrap is missed.
#pragma once

#include <cstdint>
#include <functional>

#include "ampere/meter.h"
#include "base/steady_now.h"

namespace ampere {

struct CounterZone {
  MeterDomain domain;
  std::function<std::uint64_t()> read;  // the raw count; throws when it cannot
  double joules_per_count = 1e-6;
  // The largest count: after it comes 0. Absent when it could not be read: then a count that falls
  // is an error, since what was counted is unknown.
  std::optional<std::uint64_t> range;
};

struct CounterOptions {
  // In the background, more often where a zone could otherwise go around unseen; 0: only when read.
  Seconds look_every{1};
  Seconds patience{0.5};    // at opening, for counters that move
  Watts most_power{10000};  // of one zone: a count that would take more was a reset or is garbage
  std::function<Seconds()> now = steady_now;
  // A zone of the total that does not move for so long has stopped. For counters of what is never
  // off; a device that may sleep has none.
  std::optional<Seconds> longest_rest = {};
};

// Fills in the period and, where it is 0, the resolution of `info`, and its domains from the zones.
// Zones that never move are left out with a caveat. Throws Error(no_meter) when no zone of the
// total moves, and whatever reading them throws. The meter throws Error(failed), then and ever
// after, when a counter was reset, vanished, stopped, holds garbage or was not looked at for so
// long that it may have gone around unseen.
std::unique_ptr<Meter> make_counter_meter(MeterInfo info, std::vector<CounterZone> zones,
                                          const CounterOptions& options = {});

}  // namespace ampere
