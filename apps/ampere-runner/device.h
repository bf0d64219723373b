// Choosing the device and its meter, and describing them.
#pragma once

#include <string>

#include "ampere/rig.h"

namespace ampere {

// Resolves "local" to the first GPU, or to the CPU when there is none.
std::string resolve_device(const std::string& asked);

// Opens the meter `asked`, or the best one for this device when empty. Throws as open_meter does; a
// meter of something else is never used instead.
std::unique_ptr<Meter> open_device_meter(const std::string& device, const std::string& asked);

DeviceInfo describe_device(const std::string& device, const MeterInfo& meter);

// The devices that this runner can train on, as one JSON object.
std::string list_devices();

}  // namespace ampere
