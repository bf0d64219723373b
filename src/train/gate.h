// Holds one thread back until another lets it through, or until it has waited long enough.
#pragma once

#include <condition_variable>
#include <mutex>

#include "ampere/units.h"

namespace ampere {

class Gate {
 public:
  explicit Gate(Seconds patience) : patience_(patience) {}

  void pass();  // returns when the gate is open, at the latest after its patience

  // True when nobody went through before: who comes later was held back all the same.
  bool open();

 private:
  Seconds patience_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable opened_;
  bool is_open_ = false, was_forced_ = false;
};

}  // namespace ampere
