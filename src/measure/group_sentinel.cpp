#include "measure/group_sentinel.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr std::chrono::milliseconds kLook{2};

// After fork, where only async-signal-safe calls are allowed.
[[noreturn]] void stand_by(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // Not to be hit by a kill of us by name.
  prctl(PR_SET_NAME, "group-sentinel");
  std::memset(program_invocation_name, '-', std::strlen(program_invocation_name));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_DFL);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(fd);
  for (;;) pause();
}

}  // namespace

GroupSentinel::GroupSentinel() { start(); }

GroupSentinel::~GroupSentinel() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void GroupSentinel::start() {
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) stand_by(parent);
}

bool GroupSentinel::fell(Seconds patience) {
  const Seconds give_up = steady_now() + patience;
  while (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (steady_now() > give_up) return false;
    std::this_thread::sleep_for(kLook);
  }
  const bool was_there = pid_ > 0;
  start();
  return was_there;
}

}  // namespace ampere
