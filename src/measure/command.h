// A command run as a shell runs it: with our terminal, input and output, in our process group.
#pragma once

#include <string>
#include <vector>

#include "ampere/error.h"
#include "measure/signals.h"

namespace ampere {

struct CommandEnd {
  int status = 0;  // its own, or 128 + the signal that killed it
  int signal = 0;  // 0 when it ended by itself
};

// The command could not be started: status 127 when there is none of that name, 126 when it cannot
// be run.
class CannotRun : public Error {
 public:
  CannotRun(int status, const std::string& message)
      : Error(status == 126 ? ErrorCode::permission : ErrorCode::unknown, message),
        status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// argv[0] is searched in PATH unless it has a '/'. Returns when the command has ended and was
// waited for; what it started may go on. Throws CannotRun.
CommandEnd run_command(const std::vector<std::string>& argv, Signals& signals);

}  // namespace ampere
