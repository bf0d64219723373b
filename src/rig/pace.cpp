#include "rig/pace.h"

#include "rig/measuring.h"

namespace ampere {
namespace {

constexpr Seconds kTurn{0.05};  // short compared with changes of the speed of the host
constexpr int kTurns = 6;
constexpr int kWarmTurns = 1;

struct Turns {
  TrainJob& job;
  int chunk = 1;
  Seconds spent{};
  std::int64_t done = 0;

  void take(Clock& clock, bool counts) {
    const Seconds before = clock.now();
    job.run(chunk);
    const Seconds taken = clock.now() - before;
    if (counts) {
      spent += taken;
      done += chunk;
    }
    chunk = iterations_in(kTurn, taken / chunk);
  }

  double iteration_s() const { return spent.count() / static_cast<double>(done); }
};

}  // namespace

Pace measure_pace(TrainJob& job, TrainJob& reference, Clock& clock) {
  Turns first{job}, second{reference};
  for (int turn = -1 - kWarmTurns; turn < kTurns; ++turn) {
    first.take(clock, turn >= 0);
    second.take(clock, turn >= 0);
  }
  return {first.iteration_s(), second.iteration_s(), "", {}};
}

}  // namespace ampere
