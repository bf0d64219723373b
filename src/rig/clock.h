// The time of a measurement: that of the machine, or that of a simulated device.
#pragma once

#include <optional>

#include "ampere/units.h"

namespace ampere {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Seconds now() = 0;  // monotonic
  virtual void sleep(Seconds duration) = 0;
  // How long the machine was suspended so far, which now() does not count.
  virtual Seconds suspended() { return Seconds{0}; }
  virtual std::optional<Seconds> cpu_time() {
    return std::nullopt;
  }  // used by this process and its children
  virtual std::optional<Seconds> busy_time() { return std::nullopt; }   // used by all processes
  virtual std::optional<Seconds> steal_time() { return std::nullopt; }  // taken by the hypervisor
};

}  // namespace ampere
