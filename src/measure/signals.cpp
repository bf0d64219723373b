#include "measure/signals.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

// The handler's end of the pipe.
std::atomic<int> handler_pipe{-1};
static_assert(std::atomic<int>::is_always_lock_free, "it is read inside a signal handler");

constexpr Seconds kSentinelPatience{0.2};
constexpr Seconds kGroupPatience{0.05};
constexpr Seconds kLongWait{3600};

void note_signal(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  const int note[2] = {signal, info->si_code};
  [[maybe_unused]] const ssize_t written = write(handler_pipe, note, sizeof note);
  errno = saved;
}

}  // namespace

Signals::Signals(StopToken before) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error(ErrorCode::failed, fmt::format("no pipe for signals: {}", std::strerror(errno)));
  pipe_read_ = fds[0];
  pipe_write_ = fds[1];
  handler_pipe = pipe_write_;
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) handle(signal, false);
  for (const int signal : {SIGHUP, SIGQUIT}) handle(signal, true);
  if (before.stop_requested()) stopped_by_ = SIGINT;
}

Signals::~Signals() {
  for (const Handled& handled : handled_) sigaction(handled.signal, &handled.before, nullptr);
  handler_pipe = -1;
  close(pipe_read_);
  close(pipe_write_);
}

void Signals::handle(int signal, bool unless_ignored) {
  Handled handled{signal, {}};
  sigaction(signal, nullptr, &handled.before);
  if (unless_ignored && handled.before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_sigaction = note_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
  handled_.push_back(handled);
}

std::optional<Signals::Note> Signals::next(Seconds timeout) {
  pollfd waiting{pipe_read_, POLLIN, 0};
  const double timeout_ms = std::ceil(std::clamp(timeout, Seconds{0}, kLongWait).count() * 1e3);
  poll(&waiting, 1, static_cast<int>(timeout_ms));
  int note[2];
  if (read(pipe_read_, note, sizeof note) != sizeof note) return std::nullopt;
  if (note[0] != SIGCHLD && stopped_by_ == 0) stopped_by_ = note[0];
  return Note{note[0], note[1]};
}

void Signals::sleep(Seconds time) {
  const Seconds until = steady_now() + time;
  for (Seconds now = steady_now(); now < until && stopped_by_ == 0; now = steady_now())
    next(until - now);
}

// A terminal signals the whole group, and so does a kill of it: then the child has it already.
void Signals::pass_on(const Note& note, pid_t child) {
  if (note.number == SIGCHLD) return;
  const bool to_group = sentinel_.fell(kSentinelPatience) || note.code == SI_KERNEL;
  if (!to_group) kill(child, note.number);
}

int Signals::wait_for(pid_t child) {
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR)
      throw Error(ErrorCode::failed, fmt::format("lost the command: {}", std::strerror(errno)));
    if (const auto note = next(kLongWait)) pass_on(*note, child);
  }
  // What killed the child may be for us too, and on its way.
  while (next(WIFSIGNALED(status) ? kGroupPatience : Seconds{0})) {
  }
  return status;
}

}  // namespace ampere
