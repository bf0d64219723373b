// Meters over trees of their own that look like /sys and move.
#pragma once

#include "ampere/meter.h"

namespace ampere::testing_support {

std::unique_ptr<Meter> open_fake_amdgpu();
std::unique_ptr<Meter> open_fake_hwmon_energy();
std::unique_ptr<Meter> open_fake_hwmon_power();
std::unique_ptr<Meter> open_fake_intel_gpu();
std::unique_ptr<Meter> open_fake_jetson();

}  // namespace ampere::testing_support
