// Signals by name.
#pragma once

#include <string>

namespace ampere {

// "USR1", "SIGUSR1" or "10". Throws Error(usage) for a signal that does not exist or that no
// program can catch.
int signal_number(const std::string& name);

}  // namespace ampere
