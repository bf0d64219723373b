// A general profile as it is kept, shipped and handed on: what was fitted, of which device, and
// what it rests on.
#pragma once

#include <string>
#include <string_view>

#include "ampere/rig.h"
#include "method/operations/operations_profile.h"

namespace ampere {

struct GeneralProfile {
  DeviceInfo device;
  bool is_gpu = true;    // programs are those of a GPU, with its kernels for attention and the like
  std::string taken_at;  // when the last measurement that is in it was taken, UTC
  std::int64_t operations = 0, windows = 0;  // timed and measured
  OperationsProfile fitted;
};

// The document of a profile in the store that holds it.
inline constexpr const char* kGeneralDocument = "operations";

// Parsing throws Error(usage) that names the origin and the field.
std::string to_json(const GeneralProfile& profile);
GeneralProfile parse_general_profile(std::string_view text, const std::string& origin);

// How the programs of networks look on this device.
Dialect dialect_of(const GeneralProfile& profile);

}  // namespace ampere
