#include "device.h"

#include <fmt/format.h>

#include <fstream>

#include "ampere/error.h"
#include "meter/best_meter.h"
#include "meter/nvml/nvml.h"

namespace ampere {
namespace {

bool is_gpu(const std::string& device) { return device.starts_with("cuda:"); }
std::string gpu_index(const std::string& device) { return device.substr(device.find(':') + 1); }

std::string gpu_power_mode(const std::string& device) {
  try {
    const auto limit_w = describe_nvml(gpu_index(device)).power_limit_w;
    return limit_w ? fmt::format("power limit {:.0f} W", *limit_w) : "unknown";
  } catch (const Error&) {
    return "unknown";
  }
}

std::string cpu_power_mode() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  std::string governor;
  return file >> governor ? "governor " + governor : "unknown";
}

// A GPU is measured by NVML, or by the rails of the board that it shares with the CPU. No other
// meter is used instead: a power model of the CPU says nothing about a GPU.
std::unique_ptr<Meter> open_gpu_meter(const std::string& device) {
  try {
    return open_meter("nvml:" + gpu_index(device));
  } catch (const Error&) {
    for (const MeterProbe& probe : probe_meters())
      if (probe.available && probe.name == "jetson") return open_meter(probe.name);
    throw;
  }
}

std::unique_ptr<Meter> open_processor_meter() {
  const std::string best = best_processor_meter(probe_meters());
  return open_meter(best.empty() ? "modelled" : best);
}

}  // namespace

std::unique_ptr<Meter> open_device_meter(const std::string& device, const std::string& asked) {
  if (!asked.empty() && asked != "auto") return open_meter(asked);
  return is_gpu(device) ? open_gpu_meter(device) : open_processor_meter();
}

void describe_meter(DeviceInfo& device, const std::string& place, const MeterInfo& meter) {
  device.meter = fmt::format("{} ({})", meter.name, meter.method);
  device.power_mode = is_gpu(place) ? gpu_power_mode(place) : cpu_power_mode();
  device.source = meter.source;
}

}  // namespace ampere
