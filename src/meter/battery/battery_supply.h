// Batteries and chargers as the kernel shows them under /sys/class/power_supply, one folder each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ampere/units.h"
#include "meter/sysfs.h"

namespace ampere {

// What the user says where a phone leaves it open.
struct BatterySettings {
  std::optional<double> amperes_per_unit = {};  // of current_now
  std::optional<int> sign = {};                 // of current_now and power_now while discharging
};

class Battery {
 public:
  // Finds out which files tell its power. Throws Error(no_meter) when none does.
  Battery(sysfs::Path folder, const BatterySettings& settings);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& notes() const { return notes_; }  // what had to be found out
  const std::string& files() const { return files_; }               // "power_now"

  // What flows out of it. Throws Error(failed) when it flows in, or when a file cannot be so,
  // Error(usage) when the current may be in two units.
  Watts draw();

 private:
  double raw_power();  // with the sign it comes with
  double amperes(std::int64_t raw);
  void find_voltage_unit();

  sysfs::Path folder_;
  std::string name_, files_;
  bool has_power_ = false;
  std::optional<double> amperes_per_unit_;  // absent until the first value that is not 0
  double volts_per_unit_ = 1e-6;
  int sign_ = 0;  // 0: not seen yet
  std::vector<std::string> notes_;
};

// Folders of the batteries that feed the machine itself, not of a mouse's.
std::vector<sysfs::Path> system_batteries(const sysfs::Path& root);

// Why what these batteries give is not what the machine uses: a charger helps, or one is charged.
std::optional<std::string> fed_from_outside(const sysfs::Path& root,
                                            const std::vector<sysfs::Path>& batteries);

}  // namespace ampere
