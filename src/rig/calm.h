// Waiting until others leave the machine alone.
#pragma once

#include "rig/clock.h"

namespace ampere {

// Returns once other processes, and the hypervisor, take next to no processor time, or after
// `at_most`; then it is false. True at once where the clock cannot tell.
bool wait_for_calm(Clock& clock, Seconds at_most);

}  // namespace ampere
