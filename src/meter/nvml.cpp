#include "meter/nvml.h"

#include <fmt/format.h>

#include <cstdlib>

#include "ampere/error.h"
#include "meter/kinds.h"
#include "meter/nvml_device.h"
#include "meter/step_watcher.h"

namespace ampere {
namespace {

// Throws Error(no_meter) where the counter cannot stand for this device alone.
Joules read_counter(const NvmlLibrary& nvml, nvml::Device device, const std::string& name) {
  unsigned long long energy_mj = 0;
  const nvml::Result result = nvml.total_energy_mj(device, &energy_mj);
  if (result == nvml::kNotSupported)
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: this GPU has no energy counter (they came with Volta)", name));
  nvml.check(result, fmt::format("{}: reading the energy counter", name));
  return Joules{static_cast<double>(energy_mj) * 1e-3};
}

void require_own_counter(const NvmlLibrary& nvml, nvml::Device device, const std::string& name) {
  if (const std::string reason = shared_counter(nvml, device); !reason.empty())
    throw Error(ErrorCode::no_meter, fmt::format("{}: {}", name, reason));
}

class NvmlMeter final : public Meter {
 public:
  NvmlMeter(std::shared_ptr<const NvmlLibrary> nvml, nvml::Device device, std::string name,
            const NvmlOptions& options)
      : nvml_(std::move(nvml)),
        device_(device),
        proc_(options.proc),
        watcher_(
            name, [this, name] { return read_counter(*nvml_, device_, name); }, options.patience) {
    info_.domains = {{"gpu" + name.substr(name.find(':') + 1), true, "machine/" + name,
                      "the whole board: GPU and its memory"}};
    info_.resolution = Joules{1e-3};
    info_.name = std::move(name);
    info_.method = "energy counter";
    info_.update_period = watcher_.period();
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const CounterStep step = watcher_.last();
    return {step.time, {step.energy}};
  }

  MeterState state() override { return nvml_state(*nvml_, device_, proc_); }

 private:
  std::shared_ptr<const NvmlLibrary> nvml_;
  nvml::Device device_;
  std::string proc_;
  MeterInfo info_;
  StepWatcher watcher_;  // last: its thread uses what is above
};

MeterProbe probe_device(const NvmlLibrary& nvml, const std::string& index,
                        const NvmlOptions& options) {
  MeterProbe probe{"nvml:" + index, false, "", {}};
  try {
    const nvml::Device device = find_nvml_device(nvml, index, options);
    require_own_counter(nvml, device, probe.name);
    read_counter(nvml, device, probe.name);
    probe.reason = describe(nvml, device).name + ", energy counter";
    probe.available = true;
  } catch (const Error& error) {
    probe.reason = error.what();
    probe.remedies = {error.code() == ErrorCode::permission
                          ? "ask the administrator for access to the NVIDIA devices"
                          : "use another GPU, or the meter 'modelled'"};
  }
  return probe;
}

}  // namespace

NvmlOptions default_nvml_options() {
  NvmlOptions options;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) options.visible_devices = visible;
  return options;
}

NvmlDevice describe_nvml(const std::string& device, const NvmlOptions& options) {
  const auto nvml = open_nvml_library(options.library);
  return describe(*nvml, find_nvml_device(*nvml, device, options));
}

std::unique_ptr<Meter> open_nvml_meter(const std::string& device, const NvmlOptions& options) {
  auto nvml = open_nvml_library(options.library);
  const nvml::Device handle = find_nvml_device(*nvml, device, options);
  const std::string name = "nvml:" + (device.empty() ? "0" : device);
  require_own_counter(*nvml, handle, name);
  return std::make_unique<NvmlMeter>(std::move(nvml), handle, name, options);
}

std::vector<MeterProbe> probe_nvml(const NvmlOptions& options) {
  try {
    const auto nvml = open_nvml_library(options.library);
    const unsigned count = visible_nvml_devices(*nvml, options);
    std::vector<MeterProbe> probes;
    for (unsigned i = 0; i < count; ++i)
      probes.push_back(probe_device(*nvml, fmt::format("{}", i), options));
    if (probes.empty())
      probes.push_back({"nvml",
                        false,
                        "no NVIDIA GPU is visible",
                        {"check nvidia-smi and CUDA_VISIBLE_DEVICES"}});
    return probes;
  } catch (const Error& error) {
    return {{"nvml", false, error.what(), {"install the NVIDIA driver, if there is such a GPU"}}};
  }
}

MeterKind nvml_meter_kind() {
  return {"nvml", [](std::string_view device) { return open_nvml_meter(std::string(device)); },
          [] { return probe_nvml(); }};
}

}  // namespace ampere
