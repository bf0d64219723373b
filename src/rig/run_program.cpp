#include "rig/run_program.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "ampere/error.h"
#include "base/stopwatch.h"
#include "rig/child_start.h"

namespace ampere {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 20;
constexpr int kLookMs = 100;  // how soon a request to stop is noticed

// Kills what is still there when it goes.
class RunningProgram {
 public:
  // sbatch hands its environment to the job, which is the user's.
  explicit RunningProgram(const std::vector<std::string>& argv)
      : child_(start_child(argv, ChildEnvironment::whole)) {}
  ~RunningProgram() { end_child(child_.pid, Seconds(0)); }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void write(std::string_view& input) {
    const ssize_t written = write_without_signal(child_.in.get(), input.data(), input.size());
    if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EAGAIN && errno != EINTR) input = {};  // it does not want it
    if (input.empty()) child_.in.reset();
  }

  // False at the end of the stream.
  static bool read(const OwnedFd& fd, std::string& text) {
    std::array<char, 65536> part;
    const ssize_t got = ::read(fd.get(), part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
  }

  StartedChild& child() { return child_; }

  // Once it has closed its outputs. It may still take a moment.
  int status() {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child_.pid), &info, WEXITED | WNOWAIT);
    return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  }

 private:
  StartedChild child_;
};

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& argv, const std::string& input,
                       Seconds timeout, StopToken stop) {
  RunningProgram program(argv);
  StartedChild& child = program.child();
  ProgramEnd end;
  std::string_view left = input;
  if (left.empty()) child.in.reset();
  bool out_open = true, err_open = true;
  const Stopwatch watch;
  while (out_open || err_open) {
    stop.throw_if_stopped();
    if (watch.elapsed() > timeout)
      throw Error(ErrorCode::failed,
                  fmt::format("{} did not answer within {:.0f} s", argv.at(0), timeout.count()));
    if (end.out.size() + end.err.size() > kMostOutput)
      throw Error(ErrorCode::failed, fmt::format("{} prints without an end", argv.at(0)));
    std::array<pollfd, 3> fds{pollfd{out_open ? child.out.get() : -1, POLLIN, 0},
                              pollfd{err_open ? child.err.get() : -1, POLLIN, 0},
                              pollfd{left.empty() ? -1 : child.in.get(), POLLOUT, 0}};
    ::poll(fds.data(), fds.size(), kLookMs);
    if (fds[0].revents != 0) out_open = RunningProgram::read(child.out, end.out);
    if (fds[1].revents != 0) err_open = RunningProgram::read(child.err, end.err);
    if (fds[2].revents != 0) program.write(left);
  }
  end.status = program.status();
  return end;
}

}  // namespace ampere
