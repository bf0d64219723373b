// A general profile as it is kept, shipped and handed on: what was fitted, of which device, and
// what it rests on.
#pragma once

#include <string>
#include <string_view>

#include "ampere/rig.h"
#include "method/operations/operations_profile.h"

namespace ampere {

// What one chooses a general profile by.
struct GeneralHead {
  DeviceInfo device;
  bool is_gpu = true;    // programs are those of a GPU, with its kernels for attention and the like
  std::string taken_at;  // when the last measurement that is in it was taken, UTC
  std::int64_t operations = 0, windows = 0;  // timed and measured
};

struct GeneralProfile : GeneralHead {
  OperationsProfile fitted;
};

// The document of a profile in the store that holds it.
inline constexpr const char* kGeneralDocument = "operations";

// Parsing throws Error(usage) that names the origin and the field.
std::string to_json(const GeneralProfile& profile);
GeneralProfile parse_general_profile(std::string_view text, const std::string& origin);

// The head alone, which takes microseconds: what follows it is neither read nor checked.
GeneralHead parse_general_head(std::string_view text, const std::string& origin);

// How the programs of networks look on this device.
Dialect dialect_of(const GeneralProfile& profile);

}  // namespace ampere
