// A command run as a shell runs it: with our terminal, input and output, in our process group.
#pragma once

#include <sys/types.h>

#include <optional>
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

// A command in a process group of its own, which whoever started it looks after. When this process
// ends, even by a kill, all of the group is killed.
class GroupCommand {
 public:
  // In `folder`, or where this process is when that is empty. Throws CannotRun.
  GroupCommand(const std::vector<std::string>& argv, const std::string& folder);
  ~GroupCommand();  // kills what is left of the group
  GroupCommand(const GroupCommand&) = delete;
  GroupCommand& operator=(const GroupCommand&) = delete;

  // Does not wait. Once the command has ended, what it left of its group is killed.
  std::optional<CommandEnd> end();
  void signal(int number);  // to all of the group

 private:
  void start(const std::vector<std::string>& argv, const std::string& folder);

  pid_t pid_ = -1, guard_ = -1;
  int lifeline_ = -1;  // its other end tells the guard when this process ends
  std::optional<CommandEnd> end_;
};

}  // namespace ampere
