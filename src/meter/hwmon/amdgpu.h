// AMD GPUs: the amdgpu driver's energy or power.
#pragma once

#include "meter/hwmon/hwmon_sensor.h"

namespace ampere {

// `device` as find_gpu_card takes it. Throws Error(no_meter), Error(permission), Error(unknown).
std::unique_ptr<Meter> open_amdgpu_meter(const std::string& device,
                                         const HwmonOptions& options = {});
std::vector<MeterProbe> probe_amdgpu(const HwmonOptions& options = {});

}  // namespace ampere
