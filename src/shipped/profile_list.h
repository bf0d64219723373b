// The files of data/profiles as they were embedded. The list is written by CMake.
#pragma once

#include <vector>

namespace ampere {

struct EmbeddedProfile {
  const char* name;
  const char *begin, *end;
};
std::vector<EmbeddedProfile> embedded_profiles();

}  // namespace ampere
