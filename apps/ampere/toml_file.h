// Files in TOML, as JSON: the library reads them without knowing the format.
#pragma once

#include <string>

#include "base/json.h"

namespace ampere {

// Dates and times become text. Throws Error(usage) naming the file and the line of one that is
// wrong or cannot be read.
Json load_toml(const std::string& path);

}  // namespace ampere
