#include "meter/hwmon/gpu_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The PCI address is the last name of the folder the link leads to.
std::string bus_name(const sysfs::Path& device, const std::string& otherwise) {
  std::error_code error;
  const sysfs::Path real = std::filesystem::canonical(device, error);
  const std::string name = real.filename();
  return !error && name.find(':') != std::string::npos ? name : otherwise;
}

}  // namespace

std::vector<GpuCard> list_gpu_cards(const HwmonOptions& options, const std::string& vendor) {
  const sysfs::Path all = options.sys / "class/drm";
  std::vector<GpuCard> cards;
  for (const std::string& name : sysfs::list(all, "card")) {
    // Connectors are called "card0-HDMI-A-1".
    if (!is_number(std::string_view(name).substr(4))) continue;
    const sysfs::Path device = all / name / "device";
    if (sysfs::try_text(device / "vendor") != vendor) continue;
    GpuCard card{name, bus_name(device, name), all / name, {}};
    for (const std::string& chip : sysfs::list(device / "hwmon", "hwmon"))
      card.chips.push_back(read_hwmon_chip(device / "hwmon" / chip));
    cards.push_back(std::move(card));
  }
  return cards;
}

GpuCard find_gpu_card(const std::vector<GpuCard>& cards, const std::string& kind,
                      const std::string& device) {
  std::string known;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const bool first = device.empty() && i == 0;
    if (first || device == fmt::format("{}", i) || device == cards[i].name ||
        device == cards[i].bus)
      return cards[i];
    known += fmt::format("{}{} ({}, {})", i == 0 ? "" : ", ", i, cards[i].name, cards[i].bus);
  }
  throw Error(cards.empty() ? ErrorCode::no_meter : ErrorCode::unknown,
              fmt::format("{}:{}: there is no such GPU (there are: {})", kind, device,
                          known.empty() ? "none" : known));
}

std::vector<MeterProbe> probe_gpu_cards(const std::vector<GpuCard>& cards, const std::string& kind,
                                        const std::string& none, const std::string& remedy,
                                        const std::function<std::string(const GpuCard&)>& probe) {
  if (cards.empty()) return {{kind, false, none, {remedy}}};
  std::vector<MeterProbe> probes;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    probes.push_back({fmt::format("{}:{}", kind, i), false, "", {}});
    try {
      probes.back().reason = probe(cards[i]);
      probes.back().available = true;
    } catch (const Error& error) {
      probes.back().reason = error.what();
      probes.back().remedies = remedies_for(error, remedy);
    }
  }
  return probes;
}

bool is_gpu_chip(const HwmonChip& chip) {
  return chip.name == "amdgpu" || chip.name == "i915" || chip.name == "xe";
}

// amdgpu shows the voltage of the northbridge on APUs alone.
bool is_apu(const HwmonChip& chip) {
  return chip.name == "amdgpu" && sysfs::try_text(chip.folder / "in1_label") == "vddnb";
}

std::string gpu_place(const HwmonChip& chip) {
  if (is_apu(chip)) return "machine/package-0";
  return "machine/gpu-" + bus_name(chip.folder / "device", chip.folder.filename());
}

}  // namespace ampere
