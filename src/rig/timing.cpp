#include "rig/timing.h"

#include <algorithm>
#include <vector>

#include "base/stats.h"
#include "rig/measuring.h"

namespace ampere {
namespace {

constexpr int kWarmSteps = 2;
constexpr Seconds kRepeat{0.002};  // long compared with reading the clock and with interrupts
constexpr Seconds kAllRepeats{0.03};
constexpr std::size_t kLeastRepeats = 3;

}  // namespace

Timing time_step(TrainJob& job, Clock& clock) {
  Timing timing;
  if (const std::optional<StepTimes> step = job.time_step()) {
    timing.device_s = step->device.count();
    timing.host_s = step->host.count();
    return timing;
  }
  job.run(kWarmSteps);
  const int steps = iterations_in(kRepeat, timed_iteration(job, clock, 1));
  const Seconds start = clock.now();
  std::vector<double> repeats;
  while (repeats.size() < kLeastRepeats || clock.now() - start < kAllRepeats)
    repeats.push_back(timed_iteration(job, clock, steps).count());
  timing.device_s = median(repeats);
  return timing;
}

}  // namespace ampere
