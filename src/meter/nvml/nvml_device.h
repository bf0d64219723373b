// Which GPU is meant, and the questions it answers besides its energy.
#pragma once

#include "meter/nvml/nvml.h"
#include "meter/nvml/nvml_library.h"

namespace ampere {

struct NvmlTarget {
  nvml::Device gpu;   // a whole one, also where a slice of it was asked for
  std::string slice;  // "MIG-…"; empty when the GPU itself is meant
};
NvmlTarget find_nvml_device(const NvmlLibrary& nvml, const std::string& device,
                            const NvmlOptions& options);

// Whether the GPU is divided into slices (MIG).
bool is_split(const NvmlLibrary& nvml, nvml::Device gpu);

NvmlDevice describe(const NvmlLibrary& nvml, nvml::Device device);

// What can be read; the rest is absent. `proc` is where /proc is.
MeterState nvml_state(const NvmlLibrary& nvml, nvml::Device device, const std::string& proc);

// How many devices are visible.
unsigned visible_nvml_devices(const NvmlLibrary& nvml, const NvmlOptions& options);

}  // namespace ampere
