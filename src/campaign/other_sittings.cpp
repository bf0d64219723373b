#include "campaign/other_sittings.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "setup/general_setup.h"
#include "shipped/profiles.h"

namespace ampere {
namespace {

// "nvml:0 (energy counter)" and "nvml:3 (energy counter)" are meters of one kind.
std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

// Whether energies of both are measured, and of the same things.
bool is_same_kind(const DeviceInfo& a, const DeviceInfo& b) {
  return a.source == Source::measured && b.source == Source::measured && a.name == b.name &&
         a.hardware == b.hardware && a.power_mode == b.power_mode && a.power_mode != "unknown" &&
         without_digits(a.meter) == without_digits(b.meter);
}

bool is_same(const WorkEnergyRow& a, const WorkEnergyRow& b) {
  return a.energy_j == b.energy_j && a.time_s == b.time_s;
}

class Collector {
 public:
  Collector(const DeviceInfo& device, const GeneralEvidence& own) : device_(device) {
    for (const MeasuredProgram& each : own.programs)
      if (each.measurement)
        own_.push_back({each.measurement->time_s.mean, 0, {}, each.measurement->energy_j.mean});
  }

  void add(std::string_view text, const std::string& origin) try {
    if (!is_same_kind(parse_general_head(text, origin).device, device_)) return;
    for (WorkEnergyRow& row : parse_general_profile(text, origin).fitted.laws.energy_rows) {
      const auto is_row = [&](const WorkEnergyRow& each) { return is_same(each, row); };
      if (std::ranges::any_of(own_, is_row) || std::ranges::any_of(found_.rows, is_row)) continue;
      row.elsewhere = true;
      found_.rows.push_back(std::move(row));
    }
  } catch (const Error& error) {
    found_.not_read.emplace_back(error.what());
  }

  OtherSittings found() { return std::move(found_); }

 private:
  DeviceInfo device_;
  std::vector<WorkEnergyRow> own_;
  OtherSittings found_;
};

}  // namespace

OtherSittings other_sittings(const Store& store, std::int64_t profile, const DeviceInfo& device,
                             const GeneralEvidence& own) {
  Collector collector(device, own);
  for (const ProfileRow& row : store.profiles()) {
    if (!is_general(row.setup) || row.id == profile) continue;
    if (const auto text = store.document(row.id, kGeneralDocument))
      collector.add(*text, fmt::format("profile {}", row.id));
  }
  for (const ShippedProfile& shipped : shipped_profiles())
    collector.add(shipped.text, "the shipped profile " + shipped.name);
  return collector.found();
}

}  // namespace ampere
