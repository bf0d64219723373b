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

// How much is spent on timing one thing.
struct TimingEffort {
  double most_steps = 8;         // that are timed together
  Seconds most_enqueued{0.003};  // of the host: some hundred launches, which a queue holds
  Seconds most_run{0.01};        // of the device
  std::size_t least_repeats = 2, most_repeats = 3;
  Seconds all_repeats{0.015};
};
inline constexpr TimingEffort kOfAStep{};
// An operation is short. One among thousands may take about 10 ms in all.
inline constexpr TimingEffort kOfAnOperation{256, Seconds{0.0015}, Seconds{0.0025}, 1,
                                             2,   Seconds{0.004}};

// `step` hands one step to the queue. The first steps, which build and choose, are not timed.
// Throws Error(failed) when not even a single step can be held back.
StepTimes time_steps(DeviceQueue& queue, const std::function<void()>& step,
                     const TimingEffort& effort = kOfAStep);

}  // namespace ampere
