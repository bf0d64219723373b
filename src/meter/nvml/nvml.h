// NVIDIA GPUs: the driver's energy counter or its power, and what else it says of a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/meter.h"

namespace ampere {

// The outside world, so that tests can bring their own.
struct NvmlOptions {
  std::string library = "libnvidia-ml.so.1";
  std::optional<std::string> visible_devices;  // the value of CUDA_VISIBLE_DEVICES
  std::string proc = "/proc";
  Seconds patience{3};  // for a few steps of the counter, and then for each next one
};
NvmlOptions default_nvml_options();  // with the environment's CUDA_VISIBLE_DEVICES

struct NvmlDevice {
  std::string name;    // "NVIDIA H200"
  std::string uuid;    // "GPU-…"
  std::string driver;  // "550.54.15"
  std::optional<double> memory_gib;
  std::optional<double> power_limit_w;
};

// `device` is an index as CUDA counts (so CUDA_VISIBLE_DEVICES applies), a "GPU-…" or "MIG-…" UUID,
// or empty for the first; a slice stands for its whole GPU. Both throw Error(no_meter),
// Error(permission), Error(unknown) for no such device.
NvmlDevice describe_nvml(const std::string& device,
                         const NvmlOptions& options = default_nvml_options());

// `spec` is a device, then perhaps ",by=counter" (the energy counter) or ",by=power" (integrated
// power); without it the counter is read where there is one, else power. Throws Error(usage) too.
std::unique_ptr<Meter> open_nvml_meter(const std::string& spec,
                                       const NvmlOptions& options = default_nvml_options());

// One probe a visible device, or one that says why there is none.
std::vector<MeterProbe> probe_nvml(const NvmlOptions& options = default_nvml_options());

}  // namespace ampere
