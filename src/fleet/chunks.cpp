#include "fleet/chunks.h"

#include <algorithm>
#include <cmath>

namespace ampere {
namespace {

constexpr double kChunksPerJob = 20;
constexpr Seconds kShortest{5}, kLongest{15};
constexpr Seconds kBuildingTime{3};  // building the network, and its first iteration
constexpr Seconds kSettling{0.6};    // until the meter has shown a chunk
constexpr Seconds kMargin{2};        // what the last chunk must leave for what it cannot foresee
constexpr Seconds kEnding{4};        // of a command, after its grace, until the meter has shown it
constexpr double kReserveOfCommand = 1.25;  // as a command is watched
constexpr double kSpread = 0.1;             // by which chunks may take longer than the mean

}  // namespace

Seconds chunk_time(Seconds job) { return std::clamp(job / kChunksPerJob, kShortest, kLongest); }

std::int64_t chunk_iterations(Seconds job, Seconds iteration) {
  if (!(iteration.count() > 0)) return 1;
  return std::max<std::int64_t>(1, std::llround(chunk_time(job) / iteration));
}

Overhead execution_overhead(Seconds job_most, Watts power_most) {
  const double chunks = std::ceil(job_most / chunk_time(job_most));
  const Seconds time =
      kBuildingTime + chunks * kSettling + kMargin + kSpread * chunk_time(job_most);
  return {time, power_most * time};
}

Overhead command_overhead(Seconds checkpoint_grace, Watts power_most) {
  const Seconds time = kReserveOfCommand * (checkpoint_grace + kEnding);
  return {time, power_most * time};
}

}  // namespace ampere
