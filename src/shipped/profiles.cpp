#include "shipped/profiles.h"

#include <string_view>

#include "base/gzip.h"
#include "shipped/profile_list.h"

namespace ampere {
namespace {

constexpr std::uint64_t kLargestUnpacked = 1 << 28;

}  // namespace

std::vector<ShippedProfile> shipped_profiles() {
  std::vector<ShippedProfile> profiles;
  for (const EmbeddedProfile& each : embedded_profiles()) {
    const std::string_view bytes(each.begin, static_cast<std::size_t>(each.end - each.begin));
    profiles.push_back({each.name, is_gzip(bytes) ? gunzip(bytes, each.name, kLargestUnpacked)
                                                  : std::string(bytes)});
  }
  return profiles;
}

}  // namespace ampere
