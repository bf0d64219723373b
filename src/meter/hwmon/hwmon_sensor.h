// The kernel's sensors of power and energy: /sys/class/hwmon/hwmon3/power1_input and the like.
#pragma once

#include "ampere/error.h"
#include "ampere/meter.h"
#include "meter/counter_meter.h"
#include "meter/sampled_meter.h"
#include "meter/sysfs.h"

namespace ampere {

// Where /sys is, so that tests can bring their own, and how long to look for movement at opening.
struct HwmonOptions {
  sysfs::Path sys = "/sys";
  Seconds patience{0.5};
};

struct HwmonSensor {
  std::string id;         // "power1", "energy2"
  std::string label;      // what the driver calls it; may be empty
  sysfs::Path file;       // what is read: ".../power1_input", ".../power1_average"
  bool counts = false;    // energy in microjoules, else power in microwatts
  bool averaged = false;  // power over an interval of the driver's own
};

struct HwmonChip {
  sysfs::Path folder;                // "/sys/class/hwmon/hwmon3"
  std::string name;                  // "ina226"; the folder's where the driver names none
  std::vector<HwmonSensor> sensors;  // one a file: energy, then power, then averaged power
};

// What tells energy or power in a chip's folder.
HwmonChip read_hwmon_chip(const sysfs::Path& folder);

// All chips that tell any.
std::vector<HwmonChip> list_hwmon_chips(const HwmonOptions& options);

// The power in watts or the raw energy. Throw as sysfs does, and Error(failed) when the sensor does
// not hold a number that may be.
Watts read_power(const HwmonSensor& sensor);
std::uint64_t read_energy_uj(const HwmonSensor& sensor);

// Throws unless it can be read now.
void require_readable(const HwmonSensor& sensor);

// A meter over sensors of one sort, each with its domain: a counter meter when they count, else one
// that integrates their power. `info` needs a name only.
struct HwmonDomain {
  MeterDomain domain;
  HwmonSensor sensor;
};
std::unique_ptr<Meter> make_hwmon_meter(MeterInfo info, const std::vector<HwmonDomain>& domains,
                                        const HwmonOptions& options);

// What to do about a source that was not read: the best first.
std::vector<std::string> remedies_for(const Error& error, const std::string& otherwise);

}  // namespace ampere
