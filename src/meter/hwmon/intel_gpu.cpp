#include "meter/hwmon/intel_gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "meter/hwmon/gpu_card.h"
#include "meter/kinds.h"
#include "meter/with_state.h"

namespace ampere {
namespace {

constexpr const char* kIntel = "0x8086";

// How far a counter reaches, the widest first: a card contains its package, that its tiles.
enum class Reach { card, package, part };

Reach reach_of(const HwmonChip& chip, const HwmonSensor& sensor) {
  if (!is_gpu_chip(chip)) return Reach::part;  // "i915_gt0": a tile
  if (sensor.label == "card") return Reach::card;
  if (sensor.label == "pkg" || (sensor.label.empty() && sensor.id == "energy1"))
    return Reach::package;
  return Reach::part;
}

struct Counter {
  HwmonChip chip;
  HwmonSensor sensor;
  Reach reach;
};

std::vector<Counter> list_counters(const GpuCard& card) {
  std::vector<Counter> counters;
  for (const HwmonChip& chip : card.chips)
    for (const HwmonSensor& sensor : chip.sensors)
      if (sensor.counts) counters.push_back({chip, sensor, reach_of(chip, sensor)});
  std::ranges::stable_sort(counters, {}, &Counter::reach);
  if (counters.empty() || counters.front().reach == Reach::part)
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: no energy1_input of i915 or xe (integrated GPUs have none: they "
                            "are in the processor's package)",
                            (card.folder / "device/hwmon").string()));
  return counters;
}

MeterDomain describe(const Counter& counter, const std::string& place, bool in_total) {
  switch (counter.reach) {
    case Reach::card:
      return {"card", in_total, place, "the whole card"};
    case Reach::package:
      return {"package", in_total, place + "/package",
              "the GPU's package, without the rest of the card"};
    case Reach::part:
      break;
  }
  const std::string name =
      fmt::format("{} {}", counter.chip.name,
                  counter.sensor.label.empty() ? counter.sensor.id : counter.sensor.label);
  return {name, false, fmt::format("{}/package/{}", place, name), "a part of the package"};
}

std::optional<double> first_number(const sysfs::Path& folder,
                                   std::initializer_list<const char*> files) {
  for (const char* file : files)
    if (const auto value = sysfs::try_integer(folder / file)) return static_cast<double>(*value);
  return std::nullopt;
}

MeterState read_state(const sysfs::Path& card, const sysfs::Path& chip) {
  MeterState state;
  if (const auto millidegrees = first_number(chip, {"temp1_input", "temp2_input"}))
    state.temperature_c = *millidegrees * 1e-3;
  state.clock_mhz = first_number(
      card, {"gt/gt0/rps_act_freq_mhz", "gt_act_freq_mhz", "device/tile0/gt0/freq0/act_freq"});
  return state;
}

}  // namespace

std::unique_ptr<Meter> open_intel_gpu_meter(const std::string& device,
                                            const HwmonOptions& options) {
  const GpuCard card = find_gpu_card(list_gpu_cards(options, kIntel), "intel-gpu", device);
  const std::vector<Counter> counters = list_counters(card);
  std::vector<HwmonDomain> domains;
  for (const Counter& counter : counters) {
    require_readable(counter.sensor);
    const bool widest = domains.empty();  // contains all that follow
    domains.push_back({describe(counter, "machine/gpu-" + card.bus, widest), counter.sensor});
  }
  MeterInfo info;
  info.name = "intel-gpu:" + (device.empty() ? "0" : device);
  if (counters.front().reach == Reach::package)
    info.caveats.push_back(
        "the driver counts the GPU's package only: memory, regulators and fans outside it are "
        "missing");
  return with_state(make_hwmon_meter(std::move(info), domains, options),
                    [folder = card.folder, chip = counters.front().chip.folder] {
                      return read_state(folder, chip);
                    });
}

std::vector<MeterProbe> probe_intel_gpu(const HwmonOptions& options) {
  return probe_gpu_cards(
      list_gpu_cards(options, kIntel), "intel-gpu",
      fmt::format("{}: no Intel GPU", (options.sys / "class/drm").string()),
      "energy needs a discrete Intel GPU and the driver i915 (Linux 6.2) or xe (6.8)",
      [](const GpuCard& card) {
        const std::vector<Counter> counters = list_counters(card);
        require_readable(counters.front().sensor);
        return fmt::format("{} of {}", counters.front().sensor.file.string(), card.bus);
      });
}

MeterKind intel_gpu_meter_kind() {
  return {"intel-gpu",
          [](std::string_view device) { return open_intel_gpu_meter(std::string(device)); },
          [] { return probe_intel_gpu(); }};
}

}  // namespace ampere
