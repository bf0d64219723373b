// Intel GPUs: the energy counters of the i915 and xe drivers.
#pragma once

#include "meter/hwmon/hwmon_sensor.h"

namespace ampere {

// `device` as find_gpu_card takes it. Throws Error(no_meter), Error(permission), Error(unknown).
std::unique_ptr<Meter> open_intel_gpu_meter(const std::string& device,
                                            const HwmonOptions& options = {});
std::vector<MeterProbe> probe_intel_gpu(const HwmonOptions& options = {});

}  // namespace ampere
