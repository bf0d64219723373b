#include "meter/nvml/nvml_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "ampere/error.h"
#include "base/family.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr int kGpuSensor = 0;
constexpr int kSmClock = 1;

struct ClockReason {
  unsigned long long bit;
  const char* name;
};
// Idle (0x1) and set application clocks (0x2) are no disturbance: they are left out.
constexpr std::array kClockReasons{
    ClockReason{0x04, "power cap"},
    ClockReason{0x08, "hardware slowdown"},
    ClockReason{0x10, "sync boost"},
    ClockReason{0x20, "thermal slowdown"},
    ClockReason{0x40, "hardware thermal slowdown"},
    ClockReason{0x80, "hardware power brake"},
    ClockReason{0x100, "display clocks"},
};

// CUDA stops at the first entry it does not understand: what follows is invisible, so are we.
std::vector<std::string> visible_entries(const std::string& visible_devices) {
  std::vector<std::string> entries;
  for (const std::string& part : split(visible_devices, ',')) {
    const std::string entry(trim(part));
    const bool index =
        !entry.empty() && std::ranges::all_of(entry, [](char c) { return c >= '0' && c <= '9'; });
    if (!index && !entry.starts_with("GPU-") && !entry.starts_with("MIG-")) break;
    entries.push_back(entry);
  }
  return entries;
}

[[noreturn]] void no_such_device(const std::string& device, std::size_t count,
                                 const NvmlOptions& options) {
  throw Error(
      ErrorCode::unknown,
      fmt::format(
          "nvml:{}: there is no such GPU ({} visible{})", device, count,
          options.visible_devices ? ", CUDA_VISIBLE_DEVICES=" + *options.visible_devices : ""));
}

nvml::Device by_uuid(const NvmlLibrary& nvml, const std::string& uuid) {
  // CUDA takes any unambiguous beginning of a UUID; NVML only whole ones.
  unsigned count = 0;
  nvml.check(nvml.device_count(&count), "counting devices");
  for (unsigned i = 0; i < count; ++i) {
    nvml::Device device = nullptr;
    if (nvml.device_by_index(i, &device) != nvml::kSuccess) continue;
    if (describe(nvml, device).uuid.starts_with(uuid)) return device;
  }
  throw Error(ErrorCode::unknown, fmt::format("nvml:{}: there is no GPU of this UUID", uuid));
}

nvml::Device by_physical_index(const NvmlLibrary& nvml, unsigned index,
                               const NvmlOptions& options) {
  unsigned count = 0;
  nvml.check(nvml.device_count(&count), "counting devices");
  if (index >= count) no_such_device(fmt::format("{}", index), count, options);
  nvml::Device device = nullptr;
  nvml.check(nvml.device_by_index(index, &device), fmt::format("opening device {}", index));
  return device;
}

// Slices are "MIG-<uuid>", or with drivers before 470 "MIG-GPU-<uuid of the GPU>/<numbers>". Only
// their GPU counts energy.
nvml::Device gpu_of_slice(const NvmlLibrary& nvml, const std::string& slice) {
  if (slice.starts_with("MIG-GPU-")) return by_uuid(nvml, slice.substr(4, slice.find('/') - 4));
  nvml::Device handle = nullptr, gpu = nullptr;
  if (nvml.device_by_uuid(slice.c_str(), &handle) != nvml::kSuccess)
    throw Error(ErrorCode::unknown, fmt::format("nvml:{}: there is no MIG slice of this UUID "
                                                "(nvidia-smi -L lists them)",
                                                slice));
  if (nvml.gpu_of_slice == nullptr)
    throw Error(ErrorCode::no_meter,
                fmt::format("nvml:{}: this driver does not tell the GPU of a MIG slice; update it "
                            "or name the GPU",
                            slice));
  nvml.check(nvml.gpu_of_slice(handle, &gpu), fmt::format("the GPU of {}", slice));
  return gpu;
}

NvmlTarget by_entry(const NvmlLibrary& nvml, const std::string& entry, const NvmlOptions& options) {
  if (entry.starts_with("MIG-")) return {gpu_of_slice(nvml, entry), entry};
  if (entry.starts_with("GPU-")) return {by_uuid(nvml, entry), ""};
  const std::int64_t index = parse_integer(entry, "nvml: device index");
  if (index < 0 || index > 1'000'000) no_such_device(entry, 0, options);
  return {by_physical_index(nvml, static_cast<unsigned>(index), options), ""};
}

std::optional<double> memory_gib(const NvmlLibrary& nvml, nvml::Device device) {
  nvml::Memory memory{};
  if (nvml.memory_info == nullptr || nvml.memory_info(device, &memory) != nvml::kSuccess)
    return std::nullopt;
  return static_cast<double>(memory.total) / (1u << 30);
}

std::optional<double> power_limit_w(const NvmlLibrary& nvml, nvml::Device device) {
  unsigned limit_mw = 0;
  if (nvml.power_limit_mw == nullptr || nvml.power_limit_mw(device, &limit_mw) != nvml::kSuccess)
    return std::nullopt;
  return limit_mw / 1000.0;
}

std::optional<double> temperature_c(const NvmlLibrary& nvml, nvml::Device device) {
  unsigned celsius = 0;
  if (nvml.temperature_c == nullptr ||
      nvml.temperature_c(device, kGpuSensor, &celsius) != nvml::kSuccess)
    return std::nullopt;
  return celsius;
}

std::optional<double> clock_mhz(const NvmlLibrary& nvml, nvml::Device device) {
  unsigned mhz = 0;
  if (nvml.clock_mhz == nullptr || nvml.clock_mhz(device, kSmClock, &mhz) != nvml::kSuccess)
    return std::nullopt;
  return mhz;
}

std::optional<std::string> throttle_reasons(const NvmlLibrary& nvml, nvml::Device device) {
  unsigned long long bits = 0;
  if (nvml.clock_reasons == nullptr || nvml.clock_reasons(device, &bits) != nvml::kSuccess)
    return std::nullopt;
  std::vector<const char*> names;
  for (const ClockReason& reason : kClockReasons)
    if ((bits & reason.bit) != 0) names.push_back(reason.name);
  if (names.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(names, ", "));
}

// Process ids are the machine's. In a container ours are others, and some drivers show nothing at
// all there: then nothing can be said.
bool sees_machine_pids(const std::string& proc) {
  std::error_code none;
  return std::filesystem::read_symlink(proc + "/self/ns/pid", none) == "pid:[4026531836]";
}

std::optional<int> other_processes(const NvmlLibrary& nvml, nvml::Device device,
                                   const std::string& proc) {
  if (nvml.compute_processes == nullptr) return std::nullopt;
  std::array<nvml::Process, 64> processes{};
  auto count = static_cast<unsigned>(processes.size());
  const nvml::Result result = nvml.compute_processes(device, &count, processes.data());
  if (result == nvml::kInsufficientSize) return static_cast<int>(count) - 1;
  if (result != nvml::kSuccess) return std::nullopt;
  const auto listed = std::span(processes).first(count);
  const std::vector<pid_t> family = running_family();  // a worker trains for its runner
  const auto own = std::ranges::count_if(listed, [&](const nvml::Process& process) {
    return std::ranges::find(family, static_cast<pid_t>(process.pid)) != family.end();
  });
  if (own == 0 && !sees_machine_pids(proc)) return std::nullopt;
  return static_cast<int>(count - own);
}

}  // namespace

NvmlTarget find_nvml_device(const NvmlLibrary& nvml, const std::string& device,
                            const NvmlOptions& options) {
  const bool uuid = device.starts_with("GPU-") || device.starts_with("MIG-");
  if (uuid || !options.visible_devices)
    return by_entry(nvml, device.empty() ? "0" : device, options);
  const std::int64_t index =
      device.empty() ? 0 : parse_integer(device, fmt::format("nvml:{}", device));
  const std::vector<std::string> entries = visible_entries(*options.visible_devices);
  if (index < 0 || index >= static_cast<std::int64_t>(entries.size()))
    no_such_device(device, entries.size(), options);
  return by_entry(nvml, entries[static_cast<std::size_t>(index)], options);
}

unsigned visible_nvml_devices(const NvmlLibrary& nvml, const NvmlOptions& options) {
  if (options.visible_devices)
    return static_cast<unsigned>(visible_entries(*options.visible_devices).size());
  unsigned count = 0;
  nvml.check(nvml.device_count(&count), "counting devices");
  return count;
}

bool is_split(const NvmlLibrary& nvml, nvml::Device gpu) {
  unsigned current = 0, pending = 0;
  return nvml.mig_mode != nullptr && nvml.mig_mode(gpu, &current, &pending) == nvml::kSuccess &&
         current != 0;
}

NvmlDevice describe(const NvmlLibrary& nvml, nvml::Device device) {
  std::array<char, 96> text{};
  const auto size = static_cast<unsigned>(text.size());
  NvmlDevice info;
  nvml.check(nvml.device_name(device, text.data(), size), "the device's name");
  info.name = text.data();
  nvml.check(nvml.device_uuid(device, text.data(), size), "the device's UUID");
  info.uuid = text.data();
  nvml.check(nvml.driver_version(text.data(), size), "the driver's version");
  info.driver = text.data();
  info.memory_gib = memory_gib(nvml, device);
  info.power_limit_w = power_limit_w(nvml, device);
  return info;
}

MeterState nvml_state(const NvmlLibrary& nvml, nvml::Device device, const std::string& proc) {
  return {temperature_c(nvml, device), clock_mhz(nvml, device), throttle_reasons(nvml, device),
          other_processes(nvml, device, proc)};
}

}  // namespace ampere
