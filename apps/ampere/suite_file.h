// A file that lists training steps to judge estimates by (docs/suites.md).
#pragma once

#include <string>

#include "ampere/evaluate.h"

namespace ampere {

// Throws Error(unknown) when there is no such file, and Error(usage) that names the file and the
// entry of one that is wrong.
Suite load_suite(const std::string& path);

}  // namespace ampere
