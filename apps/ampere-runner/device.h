// Which device to train on, what meters it, and what it is.
#pragma once

#include <string>

#include "ampere/rig.h"

namespace ampere {

// "local" becomes the first GPU, or the CPU where there is none.
std::string resolve_device(const std::string& asked);

// The meter of this device: `asked`, or what measures it best. Never another in its place.
std::unique_ptr<Meter> open_device_meter(const std::string& device, const std::string& asked);

DeviceInfo describe_device(const std::string& device, const MeterInfo& meter);

// One JSON object: the devices this runner can train on.
std::string list_devices();

}  // namespace ampere
