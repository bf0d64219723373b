#include "meter/battery/battery_supply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr double kMostWatts = 1000;

// A running phone or laptop draws 50 mA to 5 A, which leaves these for a bare number.
constexpr double kLeastMilliamperes = 50, kMostMilliamperes = 5000, kLeastMicroamperes = 50000;

// Cells in series: 2 to 60 V.
constexpr std::int64_t kLeastMicrovolts = 2'000'000, kMostMicrovolts = 60'000'000;
constexpr std::int64_t kLeastMillivolts = 2'000, kMostMillivolts = 60'000;

bool within(std::int64_t value, std::int64_t least, std::int64_t most) {
  return value >= least && value <= most;
}

bool is_battery(const sysfs::Path& folder) {
  return sysfs::try_text(folder / "type") == "Battery" &&
         sysfs::try_text(folder / "scope") != "Device" &&
         sysfs::try_integer(folder / "present").value_or(1) != 0;
}

}  // namespace

Battery::Battery(sysfs::Path folder, const BatterySettings& settings)
    : folder_(std::move(folder)),
      name_(folder_.filename()),
      amperes_per_unit_(settings.amperes_per_unit),
      sign_(settings.sign.value_or(0)) {
  has_power_ = sysfs::try_integer(folder_ / "power_now").has_value();
  if (has_power_) {
    files_ = "power_now";
    return;
  }
  files_ = "current_now x voltage_now";
  try {
    find_voltage_unit();
    sysfs::read_integer(folder_ / "current_now");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::no_meter) throw;
    throw Error(ErrorCode::no_meter,
                fmt::format("{} tells neither its power nor its current and voltage: {}", name_,
                            error.what()));
  }
}

void Battery::find_voltage_unit() {
  const std::int64_t raw = sysfs::read_integer(folder_ / "voltage_now");
  if (within(raw, kLeastMillivolts, kMostMillivolts)) {
    volts_per_unit_ = 1e-3;
    notes_.push_back(fmt::format("{}: voltage_now is {}, which is taken for mV", name_, raw));
  } else if (!within(raw, kLeastMicrovolts, kMostMicrovolts)) {
    throw Error(ErrorCode::failed, fmt::format("{}: {} is no voltage of a battery, in uV or in mV",
                                               (folder_ / "voltage_now").string(), raw));
  }
}

double Battery::amperes(std::int64_t raw) {
  if (raw == 0) return 0;
  if (!amperes_per_unit_) {
    const double size = std::abs(static_cast<double>(raw));
    const bool milli = size >= kLeastMilliamperes && size <= kMostMilliamperes;
    if (!milli && size < kLeastMicroamperes)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: {} may be uA or mA; say which: battery:{},unit=uA or "
                              "battery:{},unit=mA",
                              (folder_ / "current_now").string(), raw, name_, name_));
    amperes_per_unit_ = milli ? 1e-3 : 1e-6;
    if (milli)
      notes_.push_back(fmt::format("{}: current_now is {}, which is taken for mA", name_, raw));
  }
  return *amperes_per_unit_ * static_cast<double>(raw);
}

double Battery::raw_power() {
  if (has_power_) return 1e-6 * static_cast<double>(sysfs::read_integer(folder_ / "power_now"));
  const double volts =
      volts_per_unit_ * static_cast<double>(sysfs::read_integer(folder_ / "voltage_now"));
  if (volts <= 0)
    throw Error(ErrorCode::failed,
                fmt::format("{}: {} V cannot be", (folder_ / "voltage_now").string(), volts));
  return volts * amperes(sysfs::read_integer(folder_ / "current_now"));
}

// Some count what flows out as positive, some as negative: the first value while it is discharged
// tells which.
Watts Battery::draw() {
  const double power = raw_power();
  if (!(std::abs(power) <= kMostWatts))
    throw Error(ErrorCode::failed, fmt::format("{}: {} W from a battery cannot be; is the unit "
                                               "of its current right?",
                                               folder_.string(), power));
  if (sign_ == 0 && power != 0) sign_ = power < 0 ? -1 : 1;
  if (power * sign_ < 0)
    throw Error(ErrorCode::failed,
                fmt::format("{}: the current changed its direction: it is being charged",
                            folder_.string()));
  return {std::abs(power)};
}

std::vector<sysfs::Path> system_batteries(const sysfs::Path& root) {
  std::vector<sysfs::Path> batteries;
  for (const std::string& name : sysfs::list(root))
    if (is_battery(root / name)) batteries.push_back(root / name);
  return batteries;
}

std::optional<std::string> fed_from_outside(const sysfs::Path& root,
                                            const std::vector<sysfs::Path>& batteries) {
  for (const std::string& name : sysfs::list(root)) {
    const auto type = sysfs::try_text(root / name / "type");
    if (!type || *type == "Battery") continue;
    if (sysfs::try_integer(root / name / "online").value_or(0) != 0)
      return fmt::format("the charger {} is connected", name);
  }
  bool discharging = false;
  for (const sysfs::Path& battery : batteries) {
    const std::string status = sysfs::read_text(battery / "status");
    if (status == "Charging") return fmt::format("{} is charging", battery.filename().string());
    discharging = discharging || status == "Discharging";
  }
  if (discharging) return std::nullopt;
  return fmt::format("no battery is discharging ({} says '{}')",
                     batteries.front().filename().string(),
                     sysfs::read_text(batteries.front() / "status"));
}

}  // namespace ampere
