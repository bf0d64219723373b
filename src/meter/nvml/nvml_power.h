// The power an NVIDIA driver tells, for GPUs without an energy counter and to check those with one.
#pragma once

#include <optional>

#include "ampere/units.h"
#include "meter/nvml/nvml_library.h"

namespace ampere {

enum class NvmlPower {
  instant,   // of this moment, with recent drivers
  averaged,  // of the last second on most GPUs since Ampere
};

// The better one this GPU has. Absent for none; throws Error(permission) when the driver refuses.
std::optional<NvmlPower> find_nvml_power(const NvmlLibrary& nvml, nvml::Device gpu);

// Throws Error with `name` in it when the driver does not tell.
Watts read_nvml_power(const NvmlLibrary& nvml, nvml::Device gpu, NvmlPower power,
                      const std::string& name);

}  // namespace ampere
