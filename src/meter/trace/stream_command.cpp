#include "meter/trace/stream_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "ampere/error.h"
#include "base/child_environment.h"

namespace ampere {
namespace {

constexpr int kPatienceMs = 200;

// A group of its own, so that Ctrl-C reaches it only through us, and it can be ended as a whole.
int spawn(const std::vector<std::string>& words, int output, pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const std::vector<std::string> environment = child_environment();
  const int error = posix_spawnp(&pid, words.at(0).c_str(), &files, &attributes,
                                 exec_pointers(words).data(), exec_pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

StreamCommand::StreamCommand(const std::vector<std::string>& argv) {
  int fds[2];
  int error = pipe2(fds, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    output_ = fds[0];
    fcntl(output_, F_SETFL, O_NONBLOCK);
    error = spawn(argv, fds[1], pid_);
    close(fds[1]);
    if (error != 0) close(output_);
  }
  if (error != 0)
    throw Error(error == ENOENT ? ErrorCode::unknown : ErrorCode::failed,
                fmt::format("cannot run '{}': {}", argv.at(0), std::strerror(error)));
}

StreamCommand::~StreamCommand() {
  close(output_);
  if (!reaped_) kill(-pid_, SIGTERM);
  if (!wait_for_end(kPatienceMs)) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
  }
}

bool StreamCommand::wait_for_end(int milliseconds) {
  for (int waited = 0; !reaped_ && waited <= milliseconds; ++waited) {
    reaped_ = waitpid(pid_, &status_, WNOHANG) != 0;
    if (!reaped_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return reaped_;
}

std::string StreamCommand::how_it_ended() {
  if (!wait_for_end(kPatienceMs)) return "closed its output";
  if (WIFSIGNALED(status_)) return fmt::format("was killed by signal {}", WTERMSIG(status_));
  return fmt::format("ended with status {}", WEXITSTATUS(status_));
}

}  // namespace ampere
