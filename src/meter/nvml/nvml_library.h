// The part of NVIDIA's management library that ampere uses, loaded at run time: nothing of it is
// needed to build, and a machine without it only lacks this meter.
#pragma once

#include <memory>
#include <string>

namespace ampere {

// Declared here as the library's ABI documents them; nvmlReturn_t values.
namespace nvml {
using Device = struct Opaque*;
using Result = int;
inline constexpr Result kSuccess = 0, kNotSupported = 3, kNoPermission = 4, kNotFound = 6,
                        kInsufficientSize = 7, kDriverNotLoaded = 9, kFunctionNotFound = 13;
struct Memory {
  unsigned long long total, free, used;
};
struct Process {  // of the _v2 and _v3 calls
  unsigned int pid;
  unsigned long long used_memory;
  unsigned int gpu_instance, compute_instance;
};
inline constexpr unsigned kPowerInstant = 186;  // NVML_FI_DEV_POWER_INSTANT, in milliwatts
enum class ValueType : int { real, word, long_word, longest_word };
struct FieldValue {
  unsigned int field, scope;  // the scope 0 of power is the GPU
  long long time_us, latency_us;
  ValueType type;
  Result result;
  union {
    double real;
    unsigned int word;
    unsigned long long_word;
    unsigned long long longest_word;
  } value;
};
}  // namespace nvml

struct NvmlLibrary {
  nvml::Result (*init)();
  nvml::Result (*shutdown)();
  const char* (*error_string)(nvml::Result);
  nvml::Result (*driver_version)(char*, unsigned);
  nvml::Result (*device_count)(unsigned*);
  nvml::Result (*device_by_index)(unsigned, nvml::Device*);
  nvml::Result (*device_by_uuid)(const char*, nvml::Device*);
  nvml::Result (*device_name)(nvml::Device, char*, unsigned);
  nvml::Result (*device_uuid)(nvml::Device, char*, unsigned);

  // Null where the library is too old to have them.
  nvml::Result (*total_energy_mj)(nvml::Device, unsigned long long*) = nullptr;
  nvml::Result (*power_mw)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*field_values)(nvml::Device, int count, nvml::FieldValue*) = nullptr;
  nvml::Result (*temperature_c)(nvml::Device, int sensor, unsigned*) = nullptr;
  nvml::Result (*clock_mhz)(nvml::Device, int clock, unsigned*) = nullptr;
  nvml::Result (*clock_reasons)(nvml::Device, unsigned long long*) = nullptr;
  nvml::Result (*compute_processes)(nvml::Device, unsigned* count, nvml::Process*) = nullptr;
  nvml::Result (*power_limit_mw)(nvml::Device, unsigned*) = nullptr;
  nvml::Result (*memory_info)(nvml::Device, nvml::Memory*) = nullptr;
  nvml::Result (*mig_mode)(nvml::Device, unsigned* current, unsigned* pending) = nullptr;
  nvml::Result (*gpu_of_slice)(nvml::Device slice, nvml::Device* gpu) = nullptr;

  std::shared_ptr<void> handle;

  // Throws unless `result` is success: Error(permission), or Error(failed) with the library's own
  // words after `what`.
  void check(nvml::Result result, const std::string& what) const;
};

// Loaded and initialised; shut down with the last copy of the pointer. Throws Error(no_meter) with
// what to do about it.
std::shared_ptr<const NvmlLibrary> open_nvml_library(const std::string& path);

}  // namespace ampere
