#include "rig/child.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/steady_now.h"
#include "rig/child_start.h"

namespace ampere {
namespace {

constexpr std::size_t kLogLinesKept = 20;
constexpr std::size_t kLongestMessage = 500;
constexpr std::size_t kReadAtOnce = 1 << 20;  // of a stderr that is written faster than we read
constexpr Seconds kInterruptCheckPeriod{0.1};
constexpr Seconds kShutdownTimeout{1};

// Appends what can be read now, at most one buffer. Returns 0 at the end of the stream and -1 when
// there is nothing yet.
ssize_t read_some(int fd, std::string& into) {
  std::array<char, 1 << 16> buffer;
  const ssize_t got = read(fd, buffer.data(), buffer.size());
  if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
  if (got < 0 && errno != EAGAIN && errno != EINTR) return 0;
  return got;
}

}  // namespace

ssize_t write_without_signal(int fd, const char* data, std::size_t size) {
  sigset_t pipe, old, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &old);
  const ssize_t written = write(fd, data, size);
  const int error = errno;
  if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once{};
    while (sigtimedwait(&pipe, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  errno = error;
  return written;
}

std::string printable(const std::string& text) {
  return plain_lines(text.substr(0, kLongestMessage));
}

OwnedFd& OwnedFd::operator=(OwnedFd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void OwnedFd::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Child::Child(const std::vector<std::string>& argv, bool pass_stderr, StopToken stop,
             std::string role)
    : role_(std::move(role)), pass_stderr_(pass_stderr), stop_(stop) {
  StartedChild started = start_child(argv);
  pid_ = started.pid;
  in_ = std::move(started.in);
  out_ = std::move(started.out);
  err_ = std::move(started.err);
}

Child::~Child() {
  in_.reset();
  if (pid_ > 0) end_child(pid_, kShutdownTimeout);
}

bool Child::has_ended() const { return pid_ < 0 || child_has_ended(pid_); }

void Child::kill() {
  if (pid_ > 0) end_child(pid_, Seconds{0});
  pid_ = -1;
}

void Child::remember(const std::string& line) {
  log_lines_.push_back(printable(line));
  if (log_lines_.size() > kLogLinesKept) log_lines_.pop_front();
}

std::string Child::recent_log() const {
  if (log_lines_.empty()) return "";
  return fmt::format("; it said:\n  {}", fmt::join(log_lines_, "\n  "));
}

void Child::throw_ended() {
  read_errors();
  const std::string how = pid_ > 0 ? end_child(pid_, kShutdownTimeout) : "was stopped";
  pid_ = -1;
  read_errors();
  throw Error(ErrorCode::failed, fmt::format("{} {}{}", role_, how, recent_log()));
}

void Child::read_errors() {
  if (err_.get() < 0) return;
  std::string fresh;
  ssize_t got = 0;
  while (fresh.size() < kReadAtOnce && (got = read_some(err_.get(), fresh)) > 0) {
  }
  if (pass_stderr_) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, fresh.data(), fresh.size());
  }
  errors_ += fresh;
  for (std::size_t end; (end = errors_.find('\n')) != std::string::npos;) {
    remember(errors_.substr(0, end));
    errors_.erase(0, end + 1);
  }
  if (errors_.size() > kLongestMessage) errors_.resize(kLongestMessage);  // all that is ever shown
  if (got == 0) {
    err_.reset();
    if (!errors_.empty()) remember(std::exchange(errors_, ""));
  }
}

void Child::read_output() {
  const ssize_t got = read_some(out_.get(), output_);
  if (got == 0) output_ended_ = true;
}

// Waits until `fd` is ready. Reads stderr meanwhile, so that the child never blocks on it.
void Child::wait_for(int fd, short events, Seconds deadline, const char* what) {
  for (;;) {
    if (stop_.stop_requested()) {
      kill();
      throw Error(ErrorCode::interrupted, fmt::format("interrupted while {} was working", role_));
    }
    const Seconds left = deadline - steady_now();
    if (left.count() <= 0) {
      kill();
      throw Error(ErrorCode::failed, fmt::format("{} {} in time{}", role_, what, recent_log()));
    }
    std::array<pollfd, 2> polled{pollfd{fd, events, 0}, pollfd{err_.get(), POLLIN, 0}};
    const auto wait_ms = static_cast<int>(1 + 1000 * std::min(left, kInterruptCheckPeriod).count());
    if (poll(polled.data(), polled.size(), wait_ms) < 0 && errno != EINTR)
      throw Error(ErrorCode::failed,
                  fmt::format("waiting for {}: {}", role_, std::strerror(errno)));
    if (polled[1].revents != 0) read_errors();
    if (polled[0].revents != 0) return;
  }
}

void Child::send(const std::string& line, Seconds timeout) {
  if (pid_ < 0) throw_ended();
  const std::string text = line + '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    wait_for(in_.get(), POLLOUT, steady_now() + timeout, "did not accept a request");
    const ssize_t written = write_without_signal(in_.get(), text.data() + sent, text.size() - sent);
    if (written > 0) sent += static_cast<std::size_t>(written);
    if (written < 0 && errno != EAGAIN && errno != EINTR) throw_ended();
  }
}

std::string Child::receive(Seconds timeout, std::uint64_t longest) {
  std::size_t searched = 0;
  for (;;) {
    if (const std::size_t end = output_.find('\n', searched); end != std::string::npos) {
      std::string line = output_.substr(0, end);
      output_.erase(0, end + 1);
      return line;
    }
    searched = output_.size();
    if (searched > longest) {
      kill();
      throw Error(ErrorCode::failed,
                  fmt::format("{} sent a line longer than {} MiB", role_, longest >> 20));
    }
    if (output_ended_ || pid_ < 0) throw_ended();
    wait_for(out_.get(), POLLIN, steady_now() + timeout, "did not answer");
    read_output();
  }
}

}  // namespace ampere
