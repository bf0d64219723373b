// Batteries of laptops and phones.
#pragma once

#include "ampere/meter.h"
#include "meter/sysfs.h"

namespace ampere {

struct BatteryOptions {
  sysfs::Path root = "/sys/class/power_supply";
  Seconds patience{3};        // at opening, for values that change
  Seconds sample_every{0.1};  // in the background; 0: only when read
};

// `argument`: "", "BAT0", "unit=mA" or "BAT0,unit=mA,sign=-". All batteries of the machine together
// when none is named. Throws Error(no_meter) when there is none, or what it gives is not what the
// machine uses (a charger is connected); the meter throws Error(failed) when this happens later.
std::unique_ptr<Meter> open_battery_meter(std::string_view argument,
                                          const BatteryOptions& options = {});

std::vector<MeterProbe> probe_batteries(const BatteryOptions& options = {});

}  // namespace ampere
