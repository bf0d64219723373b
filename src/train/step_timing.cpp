#include "train/step_timing.h"

#include <algorithm>
#include <vector>

#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr int kWarmSteps = 2;
constexpr int kFewSteps = 8;

Seconds enqueue(const std::function<void()>& step, int steps) {
  const Seconds start = steady_now();
  for (int i = 0; i < steps; ++i) step();
  return (steady_now() - start) / steps;
}

// As many as are timed at once.
int steps_at_once(DeviceQueue& queue, const std::function<void()>& step,
                  const TimingEffort& effort) {
  for (int i = 0; i < kWarmSteps; ++i) step();
  queue.wait();
  const Seconds start = steady_now();
  const Seconds host = enqueue(step, 1);
  queue.wait();
  const Seconds both = steady_now() - start;
  return static_cast<int>(std::clamp(std::min(effort.most_enqueued / host, effort.most_run / both),
                                     1.0, effort.most_steps));
}

}  // namespace

StepTimes time_steps(DeviceQueue& queue, const std::function<void()>& step,
                     const TimingEffort& effort) {
  int steps = steps_at_once(queue, step, effort);
  std::vector<double> device_s, host_s;
  const Seconds start = steady_now();
  while (device_s.size() < effort.least_repeats ||
         (device_s.size() < effort.most_repeats && steady_now() - start < effort.all_repeats)) {
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
    steps = steps <= kFewSteps ? 1 : steps / 4;  // the queue was too full
  }
  return {Seconds{median(device_s)}, Seconds{median(host_s)}};
}

}  // namespace ampere
