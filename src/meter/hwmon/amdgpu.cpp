#include "meter/hwmon/amdgpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "meter/hwmon/gpu_card.h"
#include "meter/kinds.h"
#include "meter/with_state.h"

namespace ampere {
namespace {

constexpr const char* kVendor = "0x1002";

struct Chosen {
  HwmonChip chip;
  HwmonSensor sensor;
};

// Energy before power. The average before the moment: what is summed from it misses nothing, it is
// only late.
int rank(const HwmonSensor& sensor) { return sensor.counts ? 0 : sensor.averaged ? 1 : 2; }

Chosen choose(const GpuCard& card) {
  for (const HwmonChip& chip : card.chips) {
    if (chip.name != "amdgpu" || chip.sensors.empty()) continue;
    return {chip, *std::ranges::min_element(chip.sensors, {}, rank)};
  }
  throw Error(ErrorCode::no_meter,
              fmt::format("{}: the driver tells neither energy1_input nor power1_average nor "
                          "power1_input",
                          (card.folder / "device/hwmon").string()));
}

std::string tell(const GpuCard& card) {
  const auto [chip, sensor] = choose(card);
  require_readable(sensor);
  return fmt::format("{} of {}{}", sensor.file.string(), card.bus,
                     is_apu(chip) ? ", an APU: the whole package" : "");
}

MeterState read_state(const sysfs::Path& chip) {
  MeterState state;
  if (const auto millidegrees = sysfs::try_integer(chip / "temp1_input"))
    state.temperature_c = static_cast<double>(*millidegrees) * 1e-3;
  if (const auto hertz = sysfs::try_integer(chip / "freq1_input"))
    state.clock_mhz = static_cast<double>(*hertz) * 1e-6;
  return state;
}

}  // namespace

std::unique_ptr<Meter> open_amdgpu_meter(const std::string& device, const HwmonOptions& options) {
  const GpuCard card = find_gpu_card(list_gpu_cards(options, kVendor), "amdgpu", device);
  const auto [chip, sensor] = choose(card);
  require_readable(sensor);
  MeterInfo info;
  const std::string asked = device.empty() ? "0" : device;
  info.name = "amdgpu:" + asked;
  MeterDomain domain{"gpu" + asked, true, gpu_place(chip),
                     "what the driver calls the SoC: the GPU, on most cards with its memory"};
  info.caveats.push_back("which parts of the board are in it differs from card to card");
  if (is_apu(chip)) {
    domain.name = "package with gpu" + asked;
    domain.contains = "the whole package: processor cores and GPU";
    info.caveats = {"this GPU is part of a processor (APU), and its power is of the whole package"};
  }
  return with_state(make_hwmon_meter(std::move(info), {{std::move(domain), sensor}}, options),
                    [folder = chip.folder] { return read_state(folder); });
}

std::vector<MeterProbe> probe_amdgpu(const HwmonOptions& options) {
  return probe_gpu_cards(list_gpu_cards(options, kVendor), "amdgpu",
                         fmt::format("{}: no AMD GPU", (options.sys / "class/drm").string()),
                         "load the amdgpu driver of a recent kernel, if there is such a GPU", tell);
}

MeterKind amdgpu_meter_kind() {
  return {"amdgpu", [](std::string_view device) { return open_amdgpu_meter(std::string(device)); },
          [] { return probe_amdgpu(); }};
}

}  // namespace ampere
