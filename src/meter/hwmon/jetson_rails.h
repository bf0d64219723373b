// The power rails of a Jetson board, as its INA3221 sensors tell them in either of the kernel's
// layouts: hwmon (voltage and current of each channel) or, before JetPack 5, iio (power).
#pragma once

#include <functional>

#include "ampere/meter.h"
#include "meter/sysfs.h"

namespace ampere {

// Where /sys and /proc are, so that tests can bring their own, and how long to look for movement.
struct JetsonOptions {
  sysfs::Path sys = "/sys";
  sysfs::Path proc = "/proc";
  Seconds patience{0.5};
};

struct JetsonRail {
  std::string name;             // "VDD_IN"; "hwmon3/in1" where the board names none
  std::function<Watts()> read;  // throws as sysfs does, and Error(failed) for what cannot be
  Watts step{};                 // the smallest difference it shows; 0 when unknown
};

// Every rail once, without channels that are switched off or not connected ("NC") and without the
// chip's "sum of shunt voltages". A name that comes twice gets its folder added.
std::vector<JetsonRail> list_jetson_rails(const JetsonOptions& options);

// The board's name, "NVIDIA Jetson Orin Nano Developer Kit"; empty when it is not known.
std::string jetson_board(const JetsonOptions& options);

}  // namespace ampere
