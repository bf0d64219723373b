// Counters that move in steps (NVML's every 100 ms) say little when they are read and much when
// they move. A watcher polls such a counter in its own thread, so that a read that blocks until the
// next refresh delays nobody, and remembers when the last step came.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "ampere/units.h"

namespace ampere {

struct CounterStep {
  Seconds time{};   // steady clock, when the counter was seen to move
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

  // The last step. Throws what `read` threw since, and Error(failed) when the counter went down or
  // stood still for longer than the patience.
  CounterStep last() const;

 private:
  struct Sighting {
    CounterStep step;
    int looks = 0;  // until it was seen
  };

  bool sleep(Seconds time);  // false when the watcher is stopping
  Sighting next_step(const CounterStep& after, Seconds give_up);
  void find_period(Seconds patience);
  void watch();

  std::string name_;
  ReadCounter read_;
  Seconds patience_;
  Seconds period_{};
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  CounterStep last_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace ampere
