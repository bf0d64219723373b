#include "meter/nvml/nvml_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <initializer_list>

#include "ampere/error.h"

namespace ampere {
namespace {

template <class Function>
void load_optional(void* library, Function& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function != nullptr) return;
  }
}

template <class Function>
void load(void* library, Function& function, const char* name) {
  load_optional(library, function, {name});
  if (function == nullptr)
    throw Error(ErrorCode::no_meter,
                fmt::format("NVML has no {}: the driver is too old, update it", name));
}

NvmlLibrary load_functions(std::shared_ptr<void> handle) {
  NvmlLibrary nvml{};
  void* library = handle.get();
  load(library, nvml.init, "nvmlInit_v2");
  load(library, nvml.shutdown, "nvmlShutdown");
  load(library, nvml.error_string, "nvmlErrorString");
  load(library, nvml.driver_version, "nvmlSystemGetDriverVersion");
  load(library, nvml.device_count, "nvmlDeviceGetCount_v2");
  load(library, nvml.device_by_index, "nvmlDeviceGetHandleByIndex_v2");
  load(library, nvml.device_by_uuid, "nvmlDeviceGetHandleByUUID");
  load(library, nvml.device_name, "nvmlDeviceGetName");
  load(library, nvml.device_uuid, "nvmlDeviceGetUUID");
  load_optional(library, nvml.total_energy_mj, {"nvmlDeviceGetTotalEnergyConsumption"});
  load_optional(library, nvml.power_mw, {"nvmlDeviceGetPowerUsage"});
  load_optional(library, nvml.field_values, {"nvmlDeviceGetFieldValues"});
  load_optional(library, nvml.temperature_c, {"nvmlDeviceGetTemperature"});
  load_optional(library, nvml.clock_mhz, {"nvmlDeviceGetClockInfo"});
  load_optional(
      library, nvml.clock_reasons,
      {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  // Without a suffix it fills a smaller struct; not for us.
  load_optional(
      library, nvml.compute_processes,
      {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
  load_optional(library, nvml.power_limit_mw,
                {"nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"});
  load_optional(library, nvml.memory_info, {"nvmlDeviceGetMemoryInfo"});
  load_optional(library, nvml.mig_mode, {"nvmlDeviceGetMigMode"});
  load_optional(library, nvml.gpu_of_slice, {"nvmlDeviceGetDeviceHandleFromMigDeviceHandle"});
  nvml.handle = std::move(handle);
  return nvml;
}

}  // namespace

void NvmlLibrary::check(nvml::Result result, const std::string& what) const {
  if (result == nvml::kSuccess) return;
  throw Error(result == nvml::kNoPermission ? ErrorCode::permission : ErrorCode::failed,
              fmt::format("NVML: {}: {}", what, error_string(result)));
}

std::shared_ptr<const NvmlLibrary> open_nvml_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw Error(ErrorCode::no_meter,
                fmt::format("NVML is not here ({}); install the NVIDIA driver, and in a container "
                            "give it the driver's utilities",
                            dlerror()));
  std::shared_ptr<void> handle(library, [](void* opened) { dlclose(opened); });
  const NvmlLibrary functions = load_functions(std::move(handle));
  const nvml::Result result = functions.init();
  if (result == nvml::kNoPermission) functions.check(result, "starting it");
  if (result != nvml::kSuccess)
    throw Error(ErrorCode::no_meter,
                fmt::format("NVML does not start: {}; check that nvidia-smi works here",
                            functions.error_string(result)));
  return {new NvmlLibrary(functions), [](const NvmlLibrary* nvml) {
            nvml->shutdown();
            delete nvml;
          }};
}

}  // namespace ampere
