#include "meter/nvml/nvml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/kinds.h"
#include "meter/nvml/nvml_device.h"
#include "meter/nvml/nvml_power.h"
#include "meter/sampled_meter.h"
#include "meter/nvml/step_watcher.h"
#include "meter/with_state.h"

namespace ampere {
namespace {

constexpr Seconds kSampleEvery{0.05};
constexpr Seconds kPowerPatience{1};

enum class Way { best, counter, power };

struct Spec {
  std::string device;
  Way way = Way::best;
};

Spec parse_spec(const std::string& text) {
  Spec spec;
  const std::vector<std::string> parts = split(text, ',');
  const bool names_device = !parts.empty() && !parts.front().starts_with("by=");
  spec.device = names_device && !parts.front().empty() ? parts.front() : "0";
  for (std::size_t i = names_device ? 1 : 0; i < parts.size(); ++i) {
    if (parts[i] != "by=counter" && parts[i] != "by=power")
      throw Error(ErrorCode::usage,
                  fmt::format("meter 'nvml:{}': '{}' is not one of its settings (write "
                              "nvml:{},by=counter or nvml:{},by=power)",
                              text, parts[i], spec.device, spec.device));
    spec.way = parts[i] == "by=counter" ? Way::counter : Way::power;
  }
  return spec;
}

struct Gpu {
  std::shared_ptr<const NvmlLibrary> nvml;
  NvmlTarget target;
  std::string name;  // of the meter
};

// Absent where there is no counter.
std::optional<Joules> try_counter(const Gpu& gpu) {
  if (gpu.nvml->total_energy_mj == nullptr) return std::nullopt;
  unsigned long long energy_mj = 0;
  const nvml::Result result = gpu.nvml->total_energy_mj(gpu.target.gpu, &energy_mj);
  if (result == nvml::kNotSupported) return std::nullopt;
  gpu.nvml->check(result, fmt::format("{}: reading the energy counter", gpu.name));
  return Joules{static_cast<double>(energy_mj) * 1e-3};
}

Joules read_counter(const Gpu& gpu) {
  if (const auto energy = try_counter(gpu)) return *energy;
  throw Error(ErrorCode::no_meter,
              fmt::format("{}: this GPU has no energy counter (they came with Volta); by=power "
                          "integrates its power instead",
                          gpu.name));
}

NvmlPower require_power(const Gpu& gpu) {
  if (const auto power = find_nvml_power(*gpu.nvml, gpu.target.gpu)) return *power;
  throw Error(ErrorCode::no_meter,
              fmt::format("{}: the driver does not tell this GPU's power", gpu.name));
}

bool reads_counter(const Gpu& gpu, Way way) {
  return way == Way::counter || (way == Way::best && try_counter(gpu));
}

MeterInfo describe_meter(const Gpu& gpu, const std::string& device) {
  MeterInfo info;
  info.name = gpu.name;
  const std::string uuid = describe(*gpu.nvml, gpu.target.gpu).uuid;
  MeterDomain domain{"gpu" + device, true, "machine/gpu-" + uuid.substr(uuid.find('-') + 1),
                     "the whole board: GPU and its memory"};
  const std::string& slice = gpu.target.slice;
  if (!slice.empty() || is_split(*gpu.nvml, gpu.target.gpu)) {
    domain.name = slice.empty() ? "whole GPU under MIG" : "whole GPU of " + slice;
    domain.contains = "the whole board with all its MIG slices, whoever uses them";
    info.caveats.push_back(fmt::format(
        "{} is split (MIG) and only the whole of it is measured: what part of it a slice used is "
        "unknown, so keep the other slices idle or switch MIG off",
        uuid));
  }
  info.domains = {std::move(domain)};
  return info;
}

class NvmlCounterMeter final : public Meter {
 public:
  NvmlCounterMeter(MeterInfo info, const Gpu& gpu, Seconds patience)
      : info_(std::move(info)),
        watcher_(
            gpu.name, [gpu] { return read_counter(gpu); }, patience) {
    info_.method = "energy counter";
    info_.resolution = Joules{1e-3};
    info_.update_period = watcher_.period();
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const CounterStep step = watcher_.last();
    return {step.time, {step.energy}};
  }

  void attend(bool on) override { watcher_.attend(on); }

 private:
  MeterInfo info_;
  StepWatcher watcher_;
};

std::unique_ptr<Meter> open_power_meter(MeterInfo info, const Gpu& gpu, Way way, Seconds patience) {
  const NvmlPower power = require_power(gpu);
  info.method =
      power == NvmlPower::instant ? "integrated instantaneous power" : "integrated averaged power";
  info.caveats.push_back(fmt::format(
      "integrated from samples of power every {} ms, which some GPUs themselves take only part of "
      "the time: what comes and goes between them is missed",
      kSampleEvery.count() * 1e3));
  if (power == NvmlPower::averaged)
    info.caveats.push_back(
        "the driver's power is an average, over a second on most GPUs since Ampere: it lags, so "
        "windows should take several seconds");
  if (way == Way::best) info.caveats.push_back("this GPU has no energy counter");
  PowerSensor sensor{info.domains.front(), [gpu, power] {
                       return read_nvml_power(*gpu.nvml, gpu.target.gpu, power, gpu.name);
                     }};
  info.domains.clear();
  SamplingOptions options;
  options.sample_every = kSampleEvery;
  options.patience = std::min(patience, kPowerPatience);
  // The driver tells milliwatts, and each sample stands for one interval.
  info.resolution = Watts{1e-3} * kSampleEvery;
  return make_sampled_meter(std::move(info), {std::move(sensor)}, options);
}

std::string way_of(const Gpu& gpu) {
  if (try_counter(gpu)) return "energy counter";
  require_power(gpu);
  return "integrated power, as it has no energy counter";
}

MeterProbe probe_device(const std::shared_ptr<const NvmlLibrary>& nvml, const std::string& index,
                        const NvmlOptions& options) {
  MeterProbe probe{"nvml:" + index, false, "", {}};
  try {
    const Gpu gpu{nvml, find_nvml_device(*nvml, index, options), probe.name};
    probe.reason =
        fmt::format("{}, {}{}", describe(*nvml, gpu.target.gpu).name, way_of(gpu),
                    is_split(*nvml, gpu.target.gpu) ? " of the whole GPU with all MIG slices" : "");
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
  return describe(*nvml, find_nvml_device(*nvml, device, options).gpu);
}

std::unique_ptr<Meter> open_nvml_meter(const std::string& spec, const NvmlOptions& options) {
  const auto [device, way] = parse_spec(spec);
  auto nvml = open_nvml_library(options.library);
  const NvmlTarget target = find_nvml_device(*nvml, device, options);
  const Gpu gpu{std::move(nvml), target,
                fmt::format("nvml:{}{}", device,
                            way == Way::counter ? ",by=counter"
                            : way == Way::power ? ",by=power"
                                                : "")};
  MeterInfo info = describe_meter(gpu, device);
  std::unique_ptr<Meter> meter;
  if (reads_counter(gpu, way))
    meter = std::make_unique<NvmlCounterMeter>(std::move(info), gpu, options.patience);
  else
    meter = open_power_meter(std::move(info), gpu, way, options.patience);
  return with_state(std::move(meter), [gpu, proc = options.proc] {
    return nvml_state(*gpu.nvml, gpu.target.gpu, proc);
  });
}

std::vector<MeterProbe> probe_nvml(const NvmlOptions& options) {
  try {
    const auto nvml = open_nvml_library(options.library);
    const unsigned count = visible_nvml_devices(*nvml, options);
    std::vector<MeterProbe> probes;
    for (unsigned i = 0; i < count; ++i)
      probes.push_back(probe_device(nvml, fmt::format("{}", i), options));
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
  return {"nvml", [](std::string_view spec) { return open_nvml_meter(std::string(spec)); },
          [] { return probe_nvml(); }};
}

}  // namespace ampere
