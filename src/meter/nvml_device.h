// Which GPU is meant, and the questions it answers besides its energy.
#pragma once

#include "meter/nvml.h"
#include "meter/nvml_library.h"

namespace ampere {

nvml::Device find_nvml_device(const NvmlLibrary& nvml, const std::string& device,
                              const NvmlOptions& options);

// Empty when it is whole; otherwise why its counter is not the device's own.
std::string shared_counter(const NvmlLibrary& nvml, nvml::Device device);

NvmlDevice describe(const NvmlLibrary& nvml, nvml::Device device);

// What can be read; the rest is absent. `proc` is where /proc is.
MeterState nvml_state(const NvmlLibrary& nvml, nvml::Device device, const std::string& proc);

// How many devices are visible.
unsigned visible_nvml_devices(const NvmlLibrary& nvml, const NvmlOptions& options);

}  // namespace ampere
