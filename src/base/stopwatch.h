#pragma once

#include <chrono>

#include "ampere/units.h"

namespace ampere {

class Stopwatch {
 public:
  Seconds elapsed() const { return std::chrono::steady_clock::now() - begin_; }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace ampere
