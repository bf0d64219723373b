// This process and everything it has started.
#pragma once

#include <sys/types.h>

#include <vector>

#include "ampere/units.h"

namespace ampere {

// This process first, then all its descendants that run.
std::vector<pid_t> running_family();

// Processor time of this process with all its threads, of its children that have ended and were
// waited for, and of all its descendants that run. A new child is noticed within about half a
// second. May be called from several threads at once.
Seconds family_cpu_time();

}  // namespace ampere
