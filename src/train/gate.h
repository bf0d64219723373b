// Blocks one thread until another one opens the gate, or until a timeout.
#pragma once

#include <condition_variable>
#include <mutex>

#include "ampere/units.h"

namespace ampere {

class Gate {
 public:
  explicit Gate(Seconds timeout) : timeout_(timeout) {}

  void pass();  // returns when the gate is open, or after the timeout

  // Returns false when a thread has passed by timeout before.
  bool open();

 private:
  Seconds timeout_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable opened_;
  bool is_open_ = false, was_forced_ = false;
};

}  // namespace ampere
