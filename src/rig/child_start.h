// Starting and ending a child process whose three standard streams are pipes.
#pragma once

#include <string>
#include <vector>

#include "rig/child.h"

namespace ampere {

struct StartedChild {
  pid_t pid = -1;        // also the id of its process group
  OwnedFd in, out, err;  // our ends of the pipes; they never block
};

// Which variables it gets: those of base/child_environment.h, or all of ours.
enum class ChildEnvironment { needed, whole };

// It inherits no descriptor beside the three streams. Throws as the constructor of Child does.
StartedChild start_child(const std::vector<std::string>& argv,
                         ChildEnvironment environment = ChildEnvironment::needed);

bool child_has_ended(pid_t pid);

// Waits at most `timeout` for it to end, then kills its whole process group. Returns how it ended:
// "ended with status 3", "was killed by SIGKILL (…)".
std::string end_child(pid_t pid, Seconds timeout);

}  // namespace ampere
