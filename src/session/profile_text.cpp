#include "session/profile_text.h"

#include <fmt/format.h>

namespace ampere {

std::string profile_text(const ProfileRow& row) {
  return row.shipped.empty() ? fmt::format("profile {}", row.id)
                             : fmt::format("the shipped profile {}", row.shipped);
}

bool is_same_device(const ProfileRow& one, const ProfileRow& other) {
  return one.device.name == other.device.name && one.device.source == other.device.source;
}

}  // namespace ampere
