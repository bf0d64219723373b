// Any sensor of power or energy the kernel shows under /sys/class/hwmon.
#pragma once

#include "meter/hwmon/hwmon_sensor.h"

namespace ampere {

// `spec` is CHIP/SENSOR: the chip by its name or its folder ("ina226", "hwmon3"), the sensor by its
// name, its file or its label ("power1", "power1_average", "VDD_IN"). Throws Error(usage) with what
// there is, Error(no_meter) or Error(permission).
std::unique_ptr<Meter> open_hwmon_meter(const std::string& spec, const HwmonOptions& options = {});

// One probe a chip, with all its sensors in the reason.
std::vector<MeterProbe> probe_hwmon(const HwmonOptions& options = {});

}  // namespace ampere
