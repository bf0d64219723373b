// General profiles of devices that come with the program, so that it answers for them without a
// store.
#pragma once

#include <string>
#include <vector>

namespace ampere {

struct ShippedProfile {
  std::string name;  // of its file, without the ending: "h200"
  std::string text;  // JSON
};

// Those of data/profiles, by name.
std::vector<ShippedProfile> shipped_profiles();

}  // namespace ampere
