// A program started by us that speaks in lines: its stdin and stdout are ours, what it says on
// stderr is kept for error messages. It ends when we do.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "ampere/stop.h"
#include "ampere/units.h"

namespace ampere {

// A file descriptor that is closed with its owner.
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

inline constexpr std::uint64_t kLongestLine = std::uint64_t{64} << 20;  // as far as one expects

// Foreign text fit for a message: its beginning, and valid UTF-8.
std::string printable(const std::string& text);

class Child {
 public:
  // argv[0] is searched in PATH unless it has a '/'. Throws Error(unknown) when there is no such
  // program, Error(permission) when it may not be run. It is killed when the thread that started
  // it ends.
  Child(const std::vector<std::string>& argv, bool pass_stderr, StopToken stop = {});

  // Closes its stdin, gives it a moment to end by itself, then kills it and what it started.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // One line, without its end, which may be long: the time is for any part of it. Both throw
  // Error(failed) when the time is over or the child ended (with how, and its last words),
  // Error(interrupted) when the token says so, and the child is killed.
  void send(const std::string& line, Seconds timeout);
  std::string receive(Seconds timeout, std::uint64_t longest = kLongestLine);

  bool has_ended() const;
  void kill();
  std::string last_words() const;          // "; it said: …" from stderr, or ""
  void remember(const std::string& line);  // as if it had been said on stderr

 private:
  void wait_for(int fd, short events, Seconds deadline, const char* what);
  void read_output();
  void read_errors();
  [[noreturn]] void throw_ended();

  pid_t pid_ = -1;
  bool pass_stderr_ = false;
  StopToken stop_;
  OwnedFd in_, out_, err_;       // its stdin, stdout, stderr
  std::string output_, errors_;  // not yet whole lines
  bool output_ended_ = false;
  std::deque<std::string> said_;
};

}  // namespace ampere
