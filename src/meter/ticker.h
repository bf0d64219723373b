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
  // Calls `tick` every `interval` (of 0.1 ms to a day), the first time after one. `tick` must not
  // throw. Throws Error(failed) when there is no thread to be had.
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

}  // namespace ampere
