// Starting a child with its three standard streams on pipes.
#pragma once

#include <string>
#include <vector>

#include "rig/child.h"

namespace ampere {

struct StartedChild {
  pid_t pid = -1;        // also the id of its process group
  OwnedFd in, out, err;  // our ends; reading and writing them never blocks
};

StartedChild start_child(const std::vector<std::string>& argv);

bool child_has_ended(pid_t pid);

// How it ended, waiting at most `patience` before everything in its group is killed:
// "ended with status 3", "was killed by SIGKILL (…)".
std::string end_child(pid_t pid, Seconds patience);

}  // namespace ampere
