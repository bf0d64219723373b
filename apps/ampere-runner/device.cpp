#include "device.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "ampere/error.h"
#include "base/json.h"
#include "meter/best_meter.h"
#include "meter/nvml/nvml.h"
#include "rig/serve.h"
#include "train/torch_trainer.h"

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

std::string resolve_device(const std::string& asked) {
  if (asked == "cuda") return "cuda:0";
  if (asked != "local") return asked;
  const auto devices = torch_devices();
  return std::ranges::find(devices, "cuda:0") != devices.end() ? "cuda:0" : "cpu";
}

std::unique_ptr<Meter> open_device_meter(const std::string& device, const std::string& asked) {
  if (!asked.empty() && asked != "auto") return open_meter(asked);
  return is_gpu(device) ? open_gpu_meter(device) : open_processor_meter();
}

DeviceInfo describe_device(const std::string& device, const MeterInfo& meter) {
  const TorchInfo torch = torch_info(device);
  DeviceInfo info;
  info.name = torch.name;
  info.hardware = torch.hardware;
  info.driver = torch.driver;
  info.framework = torch.framework;
  info.meter = fmt::format("{} ({})", meter.name, meter.method);
  info.power_mode = is_gpu(device) ? gpu_power_mode(device) : cpu_power_mode();
  info.source = meter.source;
  return info;
}

std::string list_devices() {
  Json devices = Json::array();
  for (const std::string& device : torch_devices()) {
    const TorchInfo torch = torch_info(device);
    devices.push_back({{"device", device},
                       {"name", torch.name},
                       {"hardware", torch.hardware},
                       {"driver", torch.driver},
                       {"framework", torch.framework}});
  }
  return Json{{"ampere_runner", kRunnerProtocol}, {"version", AMPERE_VERSION}, {"devices", devices}}
      .dump();
}

}  // namespace ampere
