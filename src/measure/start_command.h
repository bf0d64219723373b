// Starting a command as a child of this process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "measure/command.h"

namespace ampere {

struct Started {
  pid_t pid = -1;
  int exec_error = 0;  // errno; 0 when the command runs
};

// `before` runs in the child, where only async-signal-safe calls are allowed; what it returns ends
// the child with that errno unless it is 0. Throws Error(failed) when no child can be made.
Started start_command(const std::vector<std::string>& argv, const std::function<int()>& before);

// Throws CannotRun.
[[noreturn]] void throw_cannot_run(const std::string& program, int error);

CommandEnd command_end(int wait_status);

}  // namespace ampere
