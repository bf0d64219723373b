// Signals to us while a command is measured: noted, so that what was measured is still reported,
// and passed on to a command that did not get them itself.
#pragma once

#include <csignal>
#include <optional>
#include <vector>

#include "ampere/progress.h"
#include "measure/group_sentinel.h"

namespace ampere {

// Handles SIGINT, SIGTERM, SIGHUP and SIGQUIT (the last two unless they are ignored, as nohup
// does) as long as it lives. One at a time.
class Signals {
 public:
  explicit Signals(StopToken before = {});  // `before`: stopped already, by an earlier handler
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // The first signal that asked us to stop, or 0.
  int stopped_by() const { return stopped_by_; }

  // Returns early when a signal asks us to stop.
  void sleep(Seconds time);

  // Waits for the child to end and returns its wait status.
  int wait_for(pid_t child);

 private:
  struct Note {
    int number = 0;
    int code = 0;  // si_code
  };
  std::optional<Note> next(Seconds timeout);
  void pass_on(const Note& note, pid_t child);
  void handle(int signal, bool unless_ignored);

  struct Handled {
    int signal;
    struct sigaction before;
  };
  std::vector<Handled> handled_;
  int pipe_read_ = -1, pipe_write_ = -1;
  int stopped_by_ = 0;
  GroupSentinel sentinel_;
};

}  // namespace ampere
