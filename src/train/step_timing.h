// Timing a step of a device that works through a queue while the host goes ahead.
#pragma once

#include <functional>
#include <optional>

#include "ampere/train.h"

namespace ampere {

class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;
  virtual void wait() = 0;  // until all of it is done

  // The device does nothing while `enqueue` hands it work, then all of it at once: how long that
  // took the device, without the gaps in which it would have waited for the host. Returns when it
  // is done. Nothing when the device could not be held back for so long.
  virtual std::optional<Seconds> run_held(const std::function<void()>& enqueue) = 0;
};

// `step` hands one step to the queue. The first steps, which build and choose, are not timed.
// Throws Error(failed) when not even a single step can be held back.
StepTimes time_steps(DeviceQueue& queue, const std::function<void()>& step);

}  // namespace ampere
