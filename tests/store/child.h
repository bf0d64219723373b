// Claims about what another process does or suffers. SQLite must not be carried across a fork: no
// store may be open when a child begins.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace ampere {

// Runs `work` in a child process and returns what it returned, or "<code>: <message>" of the Error
// it threw.
std::string in_child(const std::function<std::string()>& work);

// The same as a user whom permission bits bind: the tests may run as root, whom they do not.
std::string in_unprivileged_child(const std::function<std::string()>& work);

// A child that runs `work` with the writing end of a pipe until it is killed.
class Worker {
 public:
  explicit Worker(const std::function<void(int out)>& work);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::string read(std::size_t count);  // waits for so many bytes
  void kill();                          // with SIGKILL, and waits
  std::string rest();                   // what is left in the pipe after the end

 private:
  pid_t pid_ = -1;
  int in_ = -1;
};

}  // namespace ampere
