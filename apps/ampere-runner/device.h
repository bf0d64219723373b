// The meter of a device.
#pragma once

#include <string>

#include "ampere/rig.h"

namespace ampere {

// Opens the meter `asked`, or the best one for this device ("cpu", "cuda:N") when empty. Throws as
// open_meter does; a meter of something else is never used instead.
std::unique_ptr<Meter> open_device_meter(const std::string& device, const std::string& asked);

// Adds what a measurement depends on apart from the framework: the meter and the power mode.
void describe_meter(DeviceInfo& device, const std::string& place, const MeterInfo& meter);

}  // namespace ampere
