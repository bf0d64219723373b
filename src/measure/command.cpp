#include "measure/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/exec_error.h"

namespace ampere {
namespace {

[[noreturn]] void throw_cannot_run(const std::string& program, int error) {
  if (error == ENOENT || error == ENOTDIR)
    throw CannotRun(
        127, fmt::format("{}: {}", program,
                         program.find('/') == std::string::npos ? "there is no such command in PATH"
                                                                : std::strerror(error)));
  throw CannotRun(126, fmt::format("{}: cannot be run: {}", program, std::strerror(error)));
}

pid_t start(char* const* argv, int failure_write) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  execvp(argv[0], argv);
  send_exec_error(failure_write);
}

}  // namespace

CommandEnd run_command(const std::vector<std::string>& argv, Signals& signals) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0)
    throw Error(ErrorCode::failed, fmt::format("no pipe: {}", std::strerror(errno)));
  const pid_t pid = start(arguments.data(), failure[1]);
  const int fork_error = errno;
  close(failure[1]);
  const int exec_error = pid < 0 ? fork_error : receive_exec_error(failure[0]);
  close(failure[0]);
  if (pid < 0)
    throw Error(ErrorCode::failed,
                fmt::format("cannot start {}: {}", argv.at(0), std::strerror(fork_error)));
  const int status = signals.wait_for(pid);
  if (exec_error != 0) throw_cannot_run(argv.at(0), exec_error);
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace ampere
