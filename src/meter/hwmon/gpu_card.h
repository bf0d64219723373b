// Graphics cards as the kernel shows them: /sys/class/drm/card0 and the hwmon chips of its device.
#pragma once

#include "meter/hwmon/hwmon_sensor.h"

namespace ampere {

struct GpuCard {
  std::string name;              // "card0"
  std::string bus;               // "0000:03:00.0", or the card's name where that is unknown
  sysfs::Path folder;            // "/sys/class/drm/card0"
  std::vector<HwmonChip> chips;  // of its device, also those that tell neither energy nor power
};

// The cards of one maker in the order of their numbers; `vendor` is a PCI one, "0x1002".
std::vector<GpuCard> list_gpu_cards(const HwmonOptions& options, const std::string& vendor);

// `device` is an index into `cards`, a card's name or its PCI address; empty is the first. `kind`
// is the meter's. Throws Error(unknown) with the cards there are.
GpuCard find_gpu_card(const std::vector<GpuCard>& cards, const std::string& kind,
                      const std::string& device);

// One probe a card by `probe`, which throws for one that cannot be read and else tells what it is;
// or one that says there is no card.
std::vector<MeterProbe> probe_gpu_cards(const std::vector<GpuCard>& cards, const std::string& kind,
                                        const std::string& none, const std::string& remedy,
                                        const std::function<std::string(const GpuCard&)>& probe);

// Whether the chip is a graphics driver's.
bool is_gpu_chip(const HwmonChip& chip);

// Whether its power covers the processor's cores too.
bool is_apu(const HwmonChip& chip);

// The place of what a graphics driver's chip measures.
std::string gpu_place(const HwmonChip& chip);

}  // namespace ampere
