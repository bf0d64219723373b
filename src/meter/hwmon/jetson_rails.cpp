#include "meter/hwmon/jetson_rails.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

using sysfs::Path;

// Of the chip's data sheet: one count of the shunt's voltage, and how far 0 may be off.
constexpr double kShuntCountUv = 40, kShuntOffsetUv = 80;
constexpr double kOffsetMaWithoutShunt = 50;
constexpr int kChannels = 3;  // what follows them in hwmon are shunt voltages and sums

struct Channel {
  Path voltage_mv, current_ma;
  double offset_ma;

  // P = U · I. A current a little below 0 is no current, measured with the sensor's offset.
  Watts power() const {
    const std::int64_t millivolts = sysfs::read_integer(voltage_mv);
    const std::int64_t milliamperes = sysfs::read_integer(current_ma);
    if (millivolts < 0 || static_cast<double>(milliamperes) < -offset_ma)
      throw Error(ErrorCode::failed, fmt::format("{}: {} mV and {} mA cannot be",
                                                 current_ma.string(), millivolts, milliamperes));
    return Watts{static_cast<double>(millivolts) *
                 static_cast<double>(std::max<std::int64_t>(milliamperes, 0)) * 1e-6};
  }
};

bool is_connected(const std::string& label) {
  return label != "NC" && label != "sum of shunt voltages";
}

void add_hwmon_rails(const Path& chip, std::vector<JetsonRail>& rails) {
  for (int i = 1; i <= kChannels; ++i) {
    const auto file = [&](const char* pattern) {
      return chip / fmt::format(fmt::runtime(pattern), i);
    };
    std::error_code none;
    if (!std::filesystem::exists(file("in{}_input"), none) ||
        !std::filesystem::exists(file("curr{}_input"), none) ||
        sysfs::try_integer(file("in{}_enable")) == 0)
      continue;
    const std::string label = sysfs::try_text(file("in{}_label")).value_or("");
    if (!is_connected(label)) continue;
    const auto shunt_uohm = sysfs::try_integer(file("shunt{}_resistor")).value_or(0);
    const double ma_per_uv = shunt_uohm > 0 ? 1e3 / static_cast<double>(shunt_uohm) : 0;
    const Channel channel{file("in{}_input"), file("curr{}_input"),
                          shunt_uohm > 0 ? kShuntOffsetUv * ma_per_uv : kOffsetMaWithoutShunt};
    const auto millivolts = sysfs::try_integer(channel.voltage_mv).value_or(0);
    rails.push_back({label.empty() ? fmt::format("{}/in{}", chip.filename().string(), i) : label,
                     [channel] { return channel.power(); },
                     Watts{kShuntCountUv * ma_per_uv * static_cast<double>(millivolts) * 1e-6}});
  }
}

Watts read_milliwatts(const Path& file) {
  const std::int64_t power_mw = sysfs::read_integer(file);
  if (power_mw < 0)
    throw Error(ErrorCode::failed, fmt::format("{}: {} mW cannot be", file.string(), power_mw));
  return Watts{static_cast<double>(power_mw) * 1e-3};
}

void add_iio_rails(const Path& device, std::vector<JetsonRail>& rails) {
  for (int i = 0; i < kChannels; ++i) {
    const Path power = device / fmt::format("in_power{}_input", i);
    std::error_code none;
    if (!std::filesystem::exists(power, none)) continue;
    const std::string name = sysfs::try_text(device / fmt::format("rail_name_{}", i)).value_or("");
    if (!is_connected(name)) continue;
    rails.push_back({name.empty() ? fmt::format("{}/{}", device.filename().string(), i) : name,
                     [power] { return read_milliwatts(power); }, Watts{1e-3}});
  }
}

// In place: the second "VDD_IN" becomes "VDD_IN@hwmon4".
void rename_doubles(std::vector<JetsonRail>& rails, std::size_t begin, const std::string& folder) {
  for (std::size_t i = begin; i < rails.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rails[j].name == rails[i].name)
        rails[i].name += fmt::format("@{}{}", folder, j < begin ? "" : fmt::format("/{}", i));
}

}  // namespace

std::vector<JetsonRail> list_jetson_rails(const JetsonOptions& options) {
  std::vector<JetsonRail> rails;
  const Path hwmon = options.sys / "class/hwmon";
  for (const std::string& name : sysfs::list(hwmon, "hwmon")) {
    if (sysfs::try_text(hwmon / name / "name") != "ina3221") continue;
    const std::size_t begin = rails.size();
    add_hwmon_rails(hwmon / name, rails);
    rename_doubles(rails, begin, name);
  }
  if (!rails.empty()) return rails;
  const Path iio = options.sys / "bus/i2c/drivers/ina3221x";
  for (const std::string& address : sysfs::list(iio))
    for (const std::string& device : sysfs::list(iio / address, "iio:device")) {
      const std::size_t begin = rails.size();
      add_iio_rails(iio / address / device, rails);
      rename_doubles(rails, begin, device);
    }
  return rails;
}

std::string jetson_board(const JetsonOptions& options) {
  std::string model = sysfs::try_text(options.proc / "device-tree/model").value_or("");
  std::erase(model, '\0');  // the device tree's strings end with one
  return model;
}

}  // namespace ampere
