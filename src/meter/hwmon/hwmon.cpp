#include "meter/hwmon/hwmon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/hwmon/gpu_card.h"
#include "meter/kinds.h"

namespace ampere {
namespace {

constexpr std::size_t kMostListed = 12;

std::string folder_name(const HwmonChip& chip) { return chip.folder.filename(); }

std::string title(const HwmonSensor& sensor) {
  return sensor.label.empty() ? sensor.id : fmt::format("{} ({})", sensor.id, sensor.label);
}

std::string list_sensors(const HwmonChip& chip) {
  std::vector<std::string> titles;
  for (const HwmonSensor& sensor : chip.sensors)
    if (std::ranges::find(titles, title(sensor)) == titles.end()) titles.push_back(title(sensor));
  const std::size_t left_out = titles.size() - std::min(titles.size(), kMostListed);
  titles.resize(titles.size() - left_out);
  return fmt::format("{}{}", fmt::join(titles, ", "),
                     left_out > 0 ? fmt::format(" and {} more", left_out) : "");
}

std::string list_chips(const std::vector<HwmonChip>& chips) {
  std::vector<std::string> lines;
  for (const HwmonChip& chip : chips)
    lines.push_back(
        fmt::format("{}/ or {}/ with {}", chip.name, folder_name(chip), list_sensors(chip)));
  return lines.empty() ? "none" : fmt::format("{}", fmt::join(lines, "; "));
}

[[noreturn]] void refuse(const std::string& spec, const std::string& why,
                         const std::vector<HwmonChip>& chips) {
  throw Error(chips.empty() ? ErrorCode::no_meter : ErrorCode::usage,
              fmt::format("hwmon:{}: {} (write hwmon:CHIP/SENSOR; there are: {})", spec, why,
                          list_chips(chips)));
}

HwmonChip find_chip(const std::string& spec, const std::string& name,
                    const std::vector<HwmonChip>& chips) {
  std::vector<HwmonChip> matches;
  for (const HwmonChip& chip : chips)
    if (chip.name == name || folder_name(chip) == name) matches.push_back(chip);
  if (matches.empty()) refuse(spec, fmt::format("no chip '{}' tells power or energy", name), chips);
  if (matches.size() > 1)
    refuse(spec, fmt::format("{} chips are called '{}': name the folder", matches.size(), name),
           matches);
  return matches.front();
}

// Several files of one sensor are one sensor: the first of them is the better one.
HwmonSensor find_sensor(const std::string& spec, const std::string& name, const HwmonChip& chip) {
  std::vector<HwmonSensor> matches;
  for (const HwmonSensor& sensor : chip.sensors) {
    if (sensor.file.filename() == name) return sensor;
    if (name.empty() || sensor.id == name || sensor.label == name) matches.push_back(sensor);
  }
  if (matches.empty()) refuse(spec, fmt::format("{} has no sensor '{}'", chip.name, name), {chip});
  if (std::ranges::any_of(matches, [&](const auto& s) { return s.id != matches.front().id; }))
    refuse(spec, fmt::format("'{}' is more than one sensor of {}", name, chip.name), {chip});
  return matches.front();
}

// Chips whose place other meters know too share it with them, so that nothing is added twice.
std::string place_of(const HwmonChip& chip, const HwmonSensor& sensor) {
  if (chip.name == "amd_energy" && sensor.label.starts_with("Esocket"))
    return "machine/package-" + sensor.label.substr(std::string_view("Esocket").size());
  if (is_gpu_chip(chip)) return gpu_place(chip);
  return fmt::format("machine/{}/{}", folder_name(chip), sensor.id);
}

MeterProbe probe_chip(const HwmonChip& chip, bool unique) {
  const HwmonSensor& first = chip.sensors.front();
  MeterProbe probe{
      fmt::format("hwmon:{}/{}", unique ? chip.name : folder_name(chip), first.id), false, "", {}};
  try {
    require_readable(first);
    probe.available = true;
    probe.reason = fmt::format("{} tells {}", chip.folder.string(), list_sensors(chip));
  } catch (const Error& error) {
    probe.reason = error.what();
    probe.remedies = remedies_for(error, "try another of its sensors: " + list_sensors(chip));
  }
  return probe;
}

}  // namespace

std::unique_ptr<Meter> open_hwmon_meter(const std::string& spec, const HwmonOptions& options) {
  const std::vector<HwmonChip> chips = list_hwmon_chips(options);
  const std::size_t slash = spec.find('/');
  if (spec.empty()) refuse(spec, "it must be said which sensor", chips);
  const HwmonChip chip = find_chip(spec, spec.substr(0, slash), chips);
  const HwmonSensor sensor =
      find_sensor(spec, slash == std::string::npos ? "" : spec.substr(slash + 1), chip);
  require_readable(sensor);
  MeterInfo info;
  info.name = "hwmon:" + spec;
  info.caveats.push_back(fmt::format(
      "what {} of {} covers only its maker knows; do not add it to a meter of the same part",
      title(sensor), chip.name));
  const MeterDomain domain{sensor.label.empty() ? chip.name + " " + sensor.id : sensor.label, true,
                           place_of(chip, sensor),
                           fmt::format("what {} tells", sensor.file.string())};
  return make_hwmon_meter(std::move(info), {{domain, sensor}}, options);
}

std::vector<MeterProbe> probe_hwmon(const HwmonOptions& options) {
  const std::vector<HwmonChip> chips = list_hwmon_chips(options);
  std::vector<MeterProbe> probes;
  for (const HwmonChip& chip : chips)
    probes.push_back(probe_chip(chip, std::ranges::count(chips, chip.name, &HwmonChip::name) == 1));
  if (probes.empty())
    probes.push_back(
        {"hwmon",
         false,
         fmt::format("{}: no chip tells power or energy", (options.sys / "class/hwmon").string()),
         {"load the driver of the board's power sensor, if it has one"}});
  return probes;
}

MeterKind hwmon_meter_kind() {
  return {"hwmon", [](std::string_view spec) { return open_hwmon_meter(std::string(spec)); },
          [] { return probe_hwmon(); }};
}

}  // namespace ampere
