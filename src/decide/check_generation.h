#pragma once

#include "ampere/decide.h"

namespace ampere {

// Throws Error(usage) for numbers of tokens that make no sense.
void check_generation(const GenerationTask& task);

}  // namespace ampere
