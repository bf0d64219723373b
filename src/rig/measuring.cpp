#include "rig/measuring.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr Seconds kWarmChunk{0.05};
constexpr Seconds kLeastWarmUp{0.1};
constexpr double kStillGettingFaster = 0.95;
constexpr int kSteadyChunks = 2;
constexpr int kLeastIterations = 10;  // the first few may be equally slow and look steady

}  // namespace

int iterations_in(Seconds duration, Seconds iteration) {
  const double count = duration / std::max(iteration, Seconds{1e-9});
  return static_cast<int>(std::clamp(std::round(count), 1.0, 1e6));
}

Seconds timed_iteration(TrainJob& job, Clock& clock, int iterations) {
  const Seconds before = clock.now();
  job.run(iterations);
  return (clock.now() - before) / iterations;
}

WarmUp warm_up(const Bench& bench, Seconds limit) {
  const Seconds start = bench.clock.now();
  const Seconds period = bench.meter.info().update_period;
  const Seconds least = period.count() > 0 ? std::max(kMeterLag, 4 * period) : kLeastWarmUp;
  WarmUp result{timed_iteration(bench.job, bench.clock, 1), false};
  Seconds fastest = result.iteration;
  std::int64_t done = 1;
  int steady = 0;
  while (!result.settled && bench.clock.now() - start + result.iteration < limit) {
    const int chunk = iterations_in(std::min(kWarmChunk, limit / 8), result.iteration);
    result.iteration = timed_iteration(bench.job, bench.clock, chunk);
    done += chunk;
    steady = result.iteration < kStillGettingFaster * fastest ? 0 : steady + 1;
    fastest = std::min(fastest, result.iteration);
    result.settled =
        steady >= kSteadyChunks && done >= kLeastIterations && bench.clock.now() - start >= least;
  }
  return result;
}

}  // namespace ampere
