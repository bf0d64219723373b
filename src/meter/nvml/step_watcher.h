// Counters that move in steps (NVML's every 100 ms) say little when they are read and much when
// they move. A watcher knows when a counter's steps come, reads it between two of them in its own
// thread, so that a call that blocks delays nobody, and gives the value the moment of its step. A
// look may be dear (3 to 15 ms of processor time on an H200): it looks once a period while somebody
// attends, once when somebody asks, and else once a second.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "ampere/units.h"
#include "meter/nvml/step_clock.h"

namespace ampere {

struct CounterStep {
  Seconds time{};   // steady clock, when the counter moved
  Joules energy{};  // what it moved to
};

class StepWatcher {
 public:
  using ReadCounter = std::function<Joules()>;

  // Watches a few steps to find the period, then goes on in a thread. `read` is called from both,
  // never at once. Throws Error(no_meter) naming `name` when the counter does not move within
  // `patience`, and whatever `read` throws.
  StepWatcher(std::string name, ReadCounter read, Seconds patience);
  ~StepWatcher();
  StepWatcher(const StepWatcher&) = delete;
  StepWatcher& operator=(const StepWatcher&) = delete;

  Seconds period() const { return period_; }

  // The last step, or the one before it. Waits for a look where the last one was long ago. Throws
  // what `read` threw since, and Error(failed) when the counter went down or stood still for longer
  // than the patience.
  CounterStep last() const;

  // Looks at every step until it is called with false as often as with true.
  void attend(bool on);

 private:
  bool sleep(Seconds time);    // false when the watcher is stopping
  bool wait_until_asked();     // the same
  Joules checked(Joules now);  // throws when it is less than the last step's
  CounterStep observe_step(const CounterStep& after, Seconds give_up);
  void find_period();
  void watch();
  void look_between_steps();
  bool look_for_step(Seconds due);  // false when none came
  void keep(const CounterStep& step);
  void note_look();
  [[noreturn]] void fail_stuck() const;

  std::string name_;
  ReadCounter read_;
  Seconds patience_;
  Seconds period_{};
  StepClock clock_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable wake_;
  mutable bool asked_ = false;
  int attending_ = 0;
  bool stopping_ = false;
  CounterStep last_;
  Seconds looked_{};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace ampere
