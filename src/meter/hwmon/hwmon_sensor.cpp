#include "meter/hwmon/hwmon_sensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace ampere {
namespace {

constexpr Seconds kSensorSampleEvery{0.05};
constexpr double kMicro = 1e-6;

struct FileName {
  std::string id, item;
};
// "power12_average" as ("power12", "average"); absent for other files.
std::optional<FileName> parse_file_name(const std::string& name, const std::string& quantity) {
  const std::size_t digits = quantity.size();
  const std::size_t end = name.find_first_not_of("0123456789", digits);
  if (end == digits || end == std::string::npos || name[end] != '_') return std::nullopt;
  return FileName{name.substr(0, end), name.substr(end + 1)};
}

void add_sensors(HwmonChip& chip, const std::string& quantity,
                 std::initializer_list<const char*> items) {
  const std::vector<std::string> names = sysfs::list(chip.folder, quantity);
  for (const char* item : items)
    for (const std::string& name : names)
      if (const auto file = parse_file_name(name, quantity); file && file->item == item)
        chip.sensors.push_back({file->id,
                                sysfs::try_text(chip.folder / (file->id + "_label")).value_or(""),
                                chip.folder / name, quantity == "energy", file->item == "average"});
}

std::string chip_name(const sysfs::Path& folder) {
  const auto name = sysfs::try_text(folder / "name");
  return name && !name->empty() ? *name : folder.filename().string();
}

std::unique_ptr<Meter> make_counting(MeterInfo info, const std::vector<HwmonDomain>& domains,
                                     const HwmonOptions& options) {
  std::vector<CounterZone> zones;
  for (const auto& [domain, sensor] : domains)
    zones.push_back(
        {domain, [sensor = sensor] { return read_energy_uj(sensor); }, kMicro, std::nullopt});
  info.method = "energy counter";
  CounterOptions counting;
  counting.patience = options.patience;
  return make_counter_meter(std::move(info), std::move(zones), counting);
}

std::unique_ptr<Meter> make_integrating(MeterInfo info, const std::vector<HwmonDomain>& domains,
                                        const HwmonOptions& options) {
  std::vector<PowerSensor> sensors;
  for (const auto& [domain, sensor] : domains)
    sensors.push_back({domain, [sensor = sensor] { return read_power(sensor); }});
  info.method = "integrated power";
  info.resolution = Watts{kMicro} * kSensorSampleEvery;
  if (std::ranges::any_of(domains, [](const HwmonDomain& d) { return d.sensor.averaged; }))
    info.caveats.push_back(
        "the driver tells power as an average over an interval of its own: it lags behind, so "
        "windows should be long against that");
  SamplingOptions sampling;
  sampling.sample_every = kSensorSampleEvery;
  sampling.patience = options.patience;
  return make_sampled_meter(std::move(info), std::move(sensors), sampling);
}

}  // namespace

HwmonChip read_hwmon_chip(const sysfs::Path& folder) {
  HwmonChip chip{folder, chip_name(folder), {}};
  add_sensors(chip, "energy", {"input"});
  add_sensors(chip, "power", {"input", "average"});
  return chip;
}

std::vector<HwmonChip> list_hwmon_chips(const HwmonOptions& options) {
  const sysfs::Path all = options.sys / "class/hwmon";
  std::vector<HwmonChip> chips;
  for (const std::string& name : sysfs::list(all, "hwmon"))
    if (HwmonChip chip = read_hwmon_chip(all / name); !chip.sensors.empty())
      chips.push_back(std::move(chip));
  return chips;
}

Watts read_power(const HwmonSensor& sensor) {
  const std::int64_t power_uw = sysfs::read_integer(sensor.file);
  if (power_uw < 0)
    throw Error(ErrorCode::failed,
                fmt::format("{}: {} microwatts cannot be", sensor.file.string(), power_uw));
  return Watts{static_cast<double>(power_uw) * kMicro};
}

std::uint64_t read_energy_uj(const HwmonSensor& sensor) { return sysfs::read_count(sensor.file); }

void require_readable(const HwmonSensor& sensor) {
  if (sensor.counts)
    read_energy_uj(sensor);
  else
    read_power(sensor);
}

std::unique_ptr<Meter> make_hwmon_meter(MeterInfo info, const std::vector<HwmonDomain>& domains,
                                        const HwmonOptions& options) {
  const bool counts = std::ranges::all_of(domains, [](const auto& d) { return d.sensor.counts; });
  return counts ? make_counting(std::move(info), domains, options)
                : make_integrating(std::move(info), domains, options);
}

std::vector<std::string> remedies_for(const Error& error, const std::string& otherwise) {
  if (error.code() != ErrorCode::permission) return {otherwise};
  return {
      "let your group read the file: a udev rule with RUN+=\"/bin/chgrp GROUP FILE\" and mode "
      "0440",
      "run as root"};
}

}  // namespace ampere
