#include "train/step_timing.h"

#include <algorithm>
#include <vector>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr int kWarmSteps = 2;
constexpr double kMostSteps = 8;
constexpr Seconds kMostEnqueued{0.003};  // of the host: some hundred launches, which a queue holds
constexpr Seconds kMostRun{0.01};        // of the device
constexpr std::size_t kLeastRepeats = 2, kMostRepeats = 3;
constexpr Seconds kAllRepeats{0.015};

Seconds enqueue(const std::function<void()>& step, int steps) {
  const Seconds start = steady_now();
  for (int i = 0; i < steps; ++i) step();
  return (steady_now() - start) / steps;
}

// As many as are timed at once.
int steps_at_once(DeviceQueue& queue, const std::function<void()>& step) {
  for (int i = 0; i < kWarmSteps; ++i) step();
  queue.wait();
  const Seconds start = steady_now();
  const Seconds host = enqueue(step, 1);
  queue.wait();
  const Seconds both = steady_now() - start;
  return static_cast<int>(
      std::clamp(std::min(kMostEnqueued / host, kMostRun / both), 1.0, kMostSteps));
}

}  // namespace

StepTimes time_steps(DeviceQueue& queue, const std::function<void()>& step) {
  int steps = steps_at_once(queue, step);
  std::vector<double> device_s, host_s;
  const Seconds start = steady_now();
  while (device_s.size() < kLeastRepeats ||
         (device_s.size() < kMostRepeats && steady_now() - start < kAllRepeats)) {
    Seconds host{};
    const std::optional<Seconds> device = queue.run_held([&] { host = enqueue(step, steps); });
    if (device) {
      device_s.push_back(device->count() / steps);
      host_s.push_back(host.count());
      continue;
    }
    if (steps == 1)
      throw Error(ErrorCode::failed,
                  "a step cannot be timed: the device began before all of it was handed over; it "
                  "waits for the device itself, or is longer than the driver's queue");
    steps = 1;
  }
  return {Seconds{median(device_s)}, Seconds{median(host_s)}};
}

}  // namespace ampere
