#include "meter/battery/battery.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "meter/battery/battery_supply.h"
#include "meter/kinds.h"
#include "meter/meter_settings.h"
#include "meter/sampled_meter.h"

namespace ampere {
namespace {

constexpr Seconds kUsualPeriod{1};  // where it cannot be seen

using Folders = std::vector<sysfs::Path>;

BatterySettings parse_settings(const MeterSettings& settings) {
  BatterySettings battery;
  if (const auto unit = settings.choice("unit", {"uA", "mA"}))
    battery.amperes_per_unit = *unit == "mA" ? 1e-3 : 1e-6;
  if (const auto sign = settings.choice("sign", {"+", "-"})) battery.sign = *sign == "-" ? -1 : 1;
  return battery;
}

Folders choose(const sysfs::Path& root, const std::string& name) {
  Folders folders = system_batteries(root);
  std::vector<std::string> names;
  for (const sysfs::Path& folder : folders) names.push_back(folder.filename());
  if (names.empty())
    throw Error(ErrorCode::no_meter,
                fmt::format("{}: no battery feeds this machine", root.string()));
  if (name.empty()) return folders;
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(ErrorCode::no_meter, fmt::format("{} is no battery of this machine (there is: {})",
                                                 name, fmt::join(names, ", ")));
  return {folders[static_cast<std::size_t>(found - names.begin())]};
}

// Several batteries take turns, so they are one domain: together they feed the machine.
class Pack {
 public:
  Pack(sysfs::Path root, Folders folders, const BatterySettings& settings)
      : root_(std::move(root)), folders_(std::move(folders)) {
    for (const sysfs::Path& folder : folders_) batteries_.emplace_back(folder, settings);
  }

  Watts draw() {
    if (const auto reason = fed_from_outside(root_, folders_))
      throw Error(ErrorCode::failed,
                  *reason +
                      ", so the battery no longer gives what the machine uses; unplug the "
                      "charger and open the meter again");
    Watts sum;
    for (Battery& battery : batteries_) sum.value += battery.draw().value;
    return sum;
  }

  const std::vector<Battery>& batteries() const { return batteries_; }
  std::string name() const { return batteries_.size() == 1 ? batteries_[0].name() : "battery"; }

 private:
  sysfs::Path root_;
  Folders folders_;
  std::vector<Battery> batteries_;
};

void note_capacity(const sysfs::Path& folder, MeterInfo& info) {
  for (const char* file : {"energy_now", "charge_now"})
    if (sysfs::try_integer(folder / file)) {
      info.caveats.push_back(
          fmt::format("{}/{} falls with it: over hours it is a check of the integrated power",
                      folder.filename().string(), file));
      return;
    }
}

}  // namespace

std::unique_ptr<Meter> open_battery_meter(std::string_view argument,
                                          const BatteryOptions& options) {
  const MeterSettings settings("battery", argument, {"sign", "unit"});
  const Folders folders = choose(options.root, settings.subject());
  if (const auto reason = fed_from_outside(options.root, folders))
    throw Error(
        ErrorCode::no_meter,
        *reason + ", so the battery does not give what the machine uses; unplug the charger");
  const auto pack = std::make_shared<Pack>(options.root, folders, parse_settings(settings));
  MeterInfo info;
  info.name = settings.spec();
  info.method = "integrated discharge: " + pack->batteries().front().files();
  info.update_period = kUsualPeriod;
  pack->draw();  // which tells its units
  for (const Battery& battery : pack->batteries())
    info.caveats.insert(info.caveats.end(), battery.notes().begin(), battery.notes().end());
  for (const sysfs::Path& folder : folders) note_capacity(folder, info);
  SamplingOptions sampling;
  sampling.sample_every = options.sample_every;
  sampling.patience = options.patience;
  return make_sampled_meter(std::move(info),
                            {{{pack->name(), true, "machine", "all of the machine, screen and all"},
                              [pack] { return pack->draw(); }}},
                            sampling);
}

std::vector<MeterProbe> probe_batteries(const BatteryOptions& options) {
  MeterProbe probe{"battery", false, "", {}};
  try {
    const Folders folders = choose(options.root, "");
    const auto reason = fed_from_outside(options.root, folders);
    probe.available = !reason;
    probe.reason = reason.value_or(fmt::format("integrated discharge of {} in {}",
                                               folders.size() == 1 ? "the battery" : "batteries",
                                               options.root.string()));
    if (reason) probe.remedies = {"unplug the charger"};
  } catch (const Error& error) {
    probe.reason = error.what();
    probe.remedies = {error.code() == ErrorCode::permission
                          ? "let this user read it, or run as root"
                          : "run on a laptop or a phone; elsewhere use another meter"};
  }
  return {std::move(probe)};
}

MeterKind battery_meter_kind() {
  return {"battery", [](std::string_view argument) { return open_battery_meter(argument); },
          [] { return probe_batteries(); }};
}

}  // namespace ampere
