// NVIDIA Jetson boards: the whole board's power by its INA3221 sensors.
#pragma once

#include "meter/hwmon/jetson_rails.h"

namespace ampere {

// `spec` is empty, where the board's total is known, or names the rails it is: "total=VDD_IN",
// "total=VDD_GPU,VDD_CPU". Throws Error(no_meter) with the rails there are when no total is known,
// Error(usage) for rails that do not exist or contain each other, Error(permission).
std::unique_ptr<Meter> open_jetson_meter(const std::string& spec,
                                         const JetsonOptions& options = {});
std::vector<MeterProbe> probe_jetson(const JetsonOptions& options = {});

}  // namespace ampere
