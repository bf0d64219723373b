#include <fmt/format.h>

#include "ampere/rig.h"
#include "base/hash.h"

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

}  // namespace ampere
