#include "measure/start_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/exec_error.h"

namespace ampere {

void throw_cannot_run(const std::string& program, int error) {
  if (error == ENOENT || error == ENOTDIR)
    throw CannotRun(
        127, fmt::format("{}: {}", program,
                         program.find('/') == std::string::npos ? "there is no such command in PATH"
                                                                : std::strerror(error)));
  throw CannotRun(126, fmt::format("{}: cannot be run: {}", program, std::strerror(error)));
}

CommandEnd command_end(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {128 + WTERMSIG(wait_status), WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

Started start_command(const std::vector<std::string>& argv, const std::function<int()>& before) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0)
    throw Error(ErrorCode::failed, fmt::format("no pipe: {}", std::strerror(errno)));
  const pid_t pid = fork();
  if (pid == 0) {
    errno = before();
    if (errno == 0) execvp(arguments[0], arguments.data());
    send_exec_error(failure[1]);
  }
  const int fork_error = errno;
  close(failure[1]);
  const int exec_error = pid < 0 ? fork_error : receive_exec_error(failure[0]);
  close(failure[0]);
  if (pid < 0)
    throw Error(ErrorCode::failed,
                fmt::format("cannot start {}: {}", argv.at(0), std::strerror(fork_error)));
  return {pid, exec_error};
}

}  // namespace ampere
