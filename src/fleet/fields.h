// Names that people give to kinds, lists and jobs.
#pragma once

#include <string>

#include "base/json.h"

namespace ampere {

// Letters, digits, '.', '_' and '-': what can be part of the name of a job of Slurm and of a file.
// Throws Error(usage) at the field for anything else, and for more than 64 letters.
std::string plain_name(const JsonField& field);

}  // namespace ampere
