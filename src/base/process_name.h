// Processes of this machine, in words.
#pragma once

#include <sys/types.h>

#include <string>

namespace ampere {

// "process 1234 (ampere)", without the name where the system does not say it.
std::string process_name(pid_t process);

}  // namespace ampere
