#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "measure/command.h"
#include "measure/start_command.h"

namespace ampere {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

// Runs in the child before the command: it tells the guard which group to look after.
int enter_group(int lifeline, const char* folder) {
  setpgid(0, 0);
  const pid_t group = getpid();
  if (write(lifeline, &group, sizeof group) != sizeof group) return errno;
  for (const int number : kForwarded) ::signal(number, SIG_DFL);
  return *folder == '\0' || chdir(folder) == 0 ? 0 : errno;
}

// Returns when the other end was closed or something was read.
ssize_t read_lifeline(int lifeline, void* data, std::size_t size) {
  ssize_t count = 0;
  do count = read(lifeline, data, size);
  while (count < 0 && errno == EINTR);
  return count;
}

// After fork, where only async-signal-safe calls are allowed. The signals that end a job must not
// end its guard before the job, and nothing that this process has open may stay open in the guard.
[[noreturn]] void guard(int lifeline) {
  setpgid(0, 0);
  for (const int number : kForwarded) ::signal(number, SIG_IGN);
  const auto own = static_cast<unsigned>(lifeline);
  if (own > 0) close_range(0, own - 1, 0);
  close_range(own + 1, ~0U, 0);
  pid_t group = 0;
  if (read_lifeline(lifeline, &group, sizeof group) == sizeof group) {
    char nothing = 0;
    read_lifeline(lifeline, &nothing, 1);
    kill(-group, SIGKILL);
  }
  _exit(0);
}

}  // namespace

// The guard is there before the command, so that no moment is left in which a kill of this process
// would leave the command's own children behind.
GroupCommand::GroupCommand(const std::vector<std::string>& argv, const std::string& folder) {
  int lifeline[2];
  if (pipe2(lifeline, O_CLOEXEC) != 0)
    throw Error(ErrorCode::failed, fmt::format("no pipe: {}", std::strerror(errno)));
  lifeline_ = lifeline[1];
  guard_ = fork();
  if (guard_ == 0) guard(lifeline[0]);
  const int fork_error = errno;
  close(lifeline[0]);
  if (guard_ < 0) {
    close(lifeline_);
    throw Error(ErrorCode::failed,
                fmt::format("cannot start {}: {}", argv.at(0), std::strerror(fork_error)));
  }
  try {
    start(argv, folder);
  } catch (...) {
    kill(guard_, SIGKILL);
    waitpid(guard_, nullptr, 0);
    close(lifeline_);
    throw;
  }
}

void GroupCommand::start(const std::vector<std::string>& argv, const std::string& folder) {
  const Started started =
      start_command(argv, [&] { return enter_group(lifeline_, folder.c_str()); });
  pid_ = started.pid;
  if (started.exec_error == 0) return;
  waitpid(pid_, nullptr, 0);
  throw_cannot_run(argv.at(0), started.exec_error);
}

// The guard kills the group before it ends; the command is reaped afterwards, so that nobody else
// can have its number meanwhile.
GroupCommand::~GroupCommand() {
  close(lifeline_);
  waitpid(guard_, nullptr, 0);
  if (end_) return;
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<CommandEnd> GroupCommand::end() {
  if (end_) return end_;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
      info.si_pid == 0)
    return std::nullopt;
  kill(-pid_, SIGKILL);
  kill(guard_, SIGKILL);  // before the number of the group is free
  int status = 0;
  waitpid(pid_, &status, 0);
  end_ = command_end(status);
  return end_;
}

void GroupCommand::signal(int number) {
  if (!end_) kill(-pid_, number);
}

}  // namespace ampere
