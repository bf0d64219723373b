#include "rig/child_start.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "ampere/error.h"
#include "base/child_environment.h"
#include "base/exec_error.h"

namespace ampere {
namespace {

struct Pipe {
  OwnedFd read, write;
};

Pipe make_pipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    throw Error(ErrorCode::failed,
                fmt::format("cannot create a pipe for a child process: {}", std::strerror(errno)));
  return {OwnedFd(fds[0]), OwnedFd(fds[1])};
}

void set_non_blocking(const OwnedFd& fd) {
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

// Runs between fork and exec, where only async-signal-safe calls are allowed. Returns only when
// exec failed.
void exec_program(char* const* argv, char* const* environment, const Pipe& in, const Pipe& out,
                  const Pipe& err, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  dup2(in.read.get(), STDIN_FILENO);
  dup2(out.write.get(), STDOUT_FILENO);
  dup2(err.write.get(), STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  // Libraries that we use may have opened files without asking for this.
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  execvpe(argv[0], argv, environment);
}

[[noreturn]] void throw_exec_error(const std::string& program, int error) {
  const bool refused = error == EACCES || error == EPERM;
  throw Error(refused ? ErrorCode::permission : ErrorCode::unknown,
              fmt::format("cannot run '{}': {}", program, std::strerror(error)));
}

std::string describe_end(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return fmt::format("ended with status {}", info.si_status);
  const char* name = sigabbrev_np(info.si_status);
  return fmt::format(
      "was killed by {}{}{}", name != nullptr ? "SIG" : "signal ",
      name != nullptr ? name : std::to_string(info.si_status),
      info.si_status == SIGKILL ? " (the system does this when it runs out of memory)" : "");
}

// Does not reap the child, so that nobody else gets the id of its group before the group is killed.
bool has_ended(pid_t pid, siginfo_t& info) {
  info = {};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
         info.si_pid != 0;
}

}  // namespace

StartedChild start_child(const std::vector<std::string>& arguments, ChildEnvironment which) {
  const std::vector<char*> argv = exec_pointers(arguments);
  const std::vector<std::string> needed = child_environment();
  const std::vector<char*> pointers = exec_pointers(needed);
  char* const* const environment = which == ChildEnvironment::whole ? environ : pointers.data();
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), failure = make_pipe();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0)
    throw Error(ErrorCode::failed,
                fmt::format("cannot start '{}': {}", arguments.at(0), std::strerror(errno)));
  if (pid == 0) {
    exec_program(argv.data(), environment, in, out, err, parent);
    send_exec_error(failure.write.get());
  }
  setpgid(pid, pid);
  failure.write.reset();
  if (const int error = receive_exec_error(failure.read.get()); error != 0) {
    waitpid(pid, nullptr, 0);
    throw_exec_error(arguments.at(0), error);
  }
  for (const OwnedFd* fd : {&in.write, &out.read, &err.read}) set_non_blocking(*fd);
  return {pid, std::move(in.write), std::move(out.read), std::move(err.read)};
}

bool child_has_ended(pid_t pid) {
  siginfo_t info;
  return has_ended(pid, info);
}

std::string end_child(pid_t pid, Seconds timeout) {
  using Steady = std::chrono::steady_clock;
  const auto deadline = Steady::now() + std::chrono::duration_cast<Steady::duration>(timeout);
  siginfo_t info{};
  while (!has_ended(pid, info) && Steady::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const std::string how = info.si_pid != 0 ? describe_end(info) : "did not end by itself";
  ::kill(-pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  return how;
}

}  // namespace ampere
