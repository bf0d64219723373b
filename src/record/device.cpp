#include <fmt/format.h>

#include "ampere/rig.h"
#include "base/hash.h"
#include "base/number_before.h"

namespace ampere {

std::string fingerprint_of(const DeviceInfo& device) {
  // Each field with its length in front, so that no two devices join to the same text.
  std::string joined;
  for (const std::string& field :
       {device.name, device.hardware, device.driver, device.framework, device.meter,
        device.power_mode, std::string(to_string(device.source))})
    joined += fmt::format("{}:{}", field.size(), field);
  return hash_text(joined);
}

std::optional<std::int64_t> memory_of(const DeviceInfo& device) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  constexpr double kMostGiB = 1e6;  // beyond any device, and far from the end of the whole numbers
  const std::optional<double> gib = number_before(device.hardware, " GiB");
  if (!gib || *gib > kMostGiB) return std::nullopt;
  return static_cast<std::int64_t>(*gib * kGiB);
}

}  // namespace ampere
