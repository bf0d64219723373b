// A child process that communicates in lines over its stdin and stdout. The last lines of its
// stderr are kept for error messages. It is killed when this process ends.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "ampere/progress.h"
#include "ampere/units.h"
#include "base/read_line.h"

namespace ampere {

// A file descriptor that is closed when its owner is destroyed.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept;
  ~OwnedFd() { reset(); }

  int get() const { return fd_; }
  void reset();

 private:
  int fd_ = -1;
};

// As write(). Writing to a child that has ended raises SIGPIPE, which is blocked in this thread and
// removed, so that programs which use this library need no handler.
ssize_t write_without_signal(int fd, const char* data, std::size_t size);

// The beginning of a foreign text as plain UTF-8, for use in a message.
std::string printable(const std::string& text);

class Child {
 public:
  // Searches PATH for argv[0] unless it contains a '/'. Throws Error(unknown) when there is no such
  // program and Error(permission) when it may not be run. The child is killed when the thread that
  // started it ends. `pass_stderr`: also write its stderr to ours. Messages call it by its role.
  Child(const std::vector<std::string>& argv, bool pass_stderr, StopToken stop = {},
        std::string role = "the runner");

  // Closes its stdin, waits a moment for it to end, then kills it and everything it started.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // One line, without its end. The timeout applies to each part of a long line. Both throw
  // Error(failed) when it is exceeded or the child ended (with its exit status and the last lines
  // of its stderr), and Error(interrupted) when asked to stop; then the child
  // is killed.
  void send(const std::string& line, Seconds timeout);
  std::string receive(Seconds timeout, std::uint64_t longest = kLongestLine);

  bool has_ended() const;
  void kill();
  std::string recent_log() const;          // "; it said: …" with the last lines of stderr, or ""
  void remember(const std::string& line);  // as if it had been written to stderr

 private:
  void wait_for(int fd, short events, Seconds deadline, const char* what);
  void read_output();
  void read_errors();
  [[noreturn]] void throw_ended();

  pid_t pid_ = -1;
  std::string role_;
  bool pass_stderr_ = false;
  StopToken stop_;
  OwnedFd in_, out_, err_;       // its stdin, stdout, stderr
  std::string output_, errors_;  // received, but not yet a whole line
  bool output_ended_ = false;
  std::deque<std::string> log_lines_;
};

}  // namespace ampere
