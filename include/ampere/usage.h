// What was used between two readings of a meter:
//
//   auto meter = open_meter("nvml:0");
//   const Reading before = meter->read();
//   work();
//   const Usage usage = used(meter->info(), before, meter->read());
#pragma once

#include <cstdint>

#include "ampere/meter.h"

namespace ampere {

struct Usage {
  Seconds time{};
  std::vector<Joules> energy;  // one per domain of the meter
  Joules total{};              // of the domains that do not overlap
  // How far the total may be off, as a share of it, by the meter's period T and resolution r alone:
  // T/t + n·r/E for n domains in the total. Each end is late by 0 to T and short by 0 to r, so
  // under a steady load their difference is off by no more. Absent for a model, whose error nobody
  // knows.
  std::optional<double> uncertainty;

  Watts mean_power() const { return {total.value / time.count()}; }
};

// Never 0 J for a counter that did not move: throws Error(failed) that says whether it is stuck or
// was not given the time, Error(usage) when `before` is the later one or they are not of this
// meter.
Usage used(const MeterInfo& info, const Reading& before, const Reading& after);

// The same for the sum of `windows` windows that took `time` together; the errors of their ends are
// independent, so their uncertainty is √windows · T/t + n·r/E.
Usage used_in(const MeterInfo& info, Seconds time, std::vector<Joules> energy,
              std::int64_t windows = 1);

}  // namespace ampere
