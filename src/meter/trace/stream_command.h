// A command whose output is read.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace ampere {

class StreamCommand {
 public:
  // Without a shell; argv[0] is searched in PATH. Throws Error(unknown) when there is no such
  // command and Error(failed).
  explicit StreamCommand(const std::vector<std::string>& argv);
  ~StreamCommand();  // ends it, and what it started
  StreamCommand(const StreamCommand&) = delete;
  StreamCommand& operator=(const StreamCommand&) = delete;

  int output() const { return output_; }  // never blocks
  // Once its output ended: "ended with status 1".
  std::string how_it_ended();

 private:
  bool wait_for_end(int milliseconds);

  int output_ = -1;
  pid_t pid_ = 0;
  int status_ = 0;
  bool reaped_ = false;
};

}  // namespace ampere
