// A thread that does one thing again and again until it is destroyed.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "ampere/units.h"

namespace ampere {

class Ticker {
 public:
  // Calls `tick` every `interval`, the first time after one. `tick` must not throw.
  Ticker(Seconds interval, std::function<void()> tick);
  ~Ticker();  // returns when the last call has
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void run(Seconds interval);

  std::function<void()> tick_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;  // last: uses what is above
};

// The clock of readings: monotonic, of this machine.
Seconds steady_now();

}  // namespace ampere
