#include "rig/resting_job.h"

#include <algorithm>

#include "rig/measuring.h"

namespace ampere {
namespace {

// Shorter than what a power limit reacts to, and longer than the answer of a worker takes.
constexpr Seconds kBurst{0.002};

}  // namespace

void RestingJob::run(int iterations) {
  for (int left = iterations; left > 0;) {
    const int burst = std::min(left, burst_);
    const Seconds worked = burst * timed_iteration(job_, clock_, burst);
    clock_.sleep(worked);
    burst_ = iterations_in(kBurst, worked / burst);
    left -= burst;
  }
}

}  // namespace ampere
