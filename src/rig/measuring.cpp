#include "rig/measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/usage.h"

namespace ampere {
namespace {

constexpr Seconds kWarmChunk{0.05};
constexpr Seconds kLeastWarmUp{0.1};
constexpr Seconds kMeterLag{0.4};  // a counter follows a new load only after this long
constexpr double kStillGettingFaster = 0.95;
constexpr int kSteadyChunks = 2;
constexpr int kLeastIterations = 10;  // the first few may all be slow, and look steady

constexpr double kFineChunks = 10;   // in a period of the meter, or in a window without one
constexpr double kCoarseChunks = 4;  // in a window
constexpr Seconds kMeterPatience{2};
constexpr double kPatiencePeriods = 20;

int iterations_in(Seconds duration, Seconds iteration) {
  const double count = duration / std::max(iteration, Seconds{1e-9});
  return static_cast<int>(std::clamp(std::round(count), 1.0, 1e6));
}

Seconds timed_iteration(const Bench& bench, int iterations) {
  const Seconds before = bench.clock.now();
  bench.job.run(iterations);
  return (bench.clock.now() - before) / iterations;
}

// A moment between two iterations: time stands still for the window while the meter is read, which
// may block.
struct Mark {
  Seconds before, after;  // the read
  Reading reading;        // its time is by the meter's own clock
  Joules energy;          // in total
};

Mark mark(const Bench& bench) {
  const Seconds before = bench.clock.now();
  Reading reading = bench.meter.read();
  const Joules energy = total(bench.meter.info(), reading);
  return {before, bench.clock.now(), std::move(reading), energy};
}

struct Pace {
  Seconds iteration;
  Seconds period;  // of the meter; 0 when it has none
  int fine, coarse;

  // With iterations longer than the period the counter moves in each of them, and there is nothing
  // to wait for.
  bool waits_for_steps() const { return period.count() > 0 && iteration < period; }
};

Pace pace_of(const Bench& bench, Seconds iteration, Seconds length) {
  const Seconds period = bench.meter.info().update_period;
  const Seconds fine = (period.count() > 0 ? period : length) / kFineChunks;
  return {iteration, period, iterations_in(fine, iteration),
          iterations_in(length / kCoarseChunks, iteration)};
}

struct Step {
  Mark at;
  std::int64_t iterations = 0;  // run on the way
};

// The first boundary after a step of the counter. The device is kept busy on the way there: left
// alone, its power would fall. A boundary comes at most one fine chunk after the step, at both ends
// of a window alike, so the error has mean zero.
Step run_to_step(const Bench& bench, const Pace& pace) {
  Step step{mark(bench), 0};
  if (!pace.waits_for_steps()) return step;
  const Mark first = step.at;
  const Seconds patience = std::max(kMeterPatience, kPatiencePeriods * pace.period);
  while (step.at.energy <= first.energy) {
    if (step.at.before - first.before > patience)
      throw Error(ErrorCode::failed,
                  fmt::format("the meter {} stood still for {:.1f} s; is the device still there?",
                              bench.meter.info().name, patience.count()));
    bench.job.run(pace.fine);
    step.iterations += pace.fine;
    step.at = mark(bench);
  }
  return step;
}

std::int64_t run_for(const Bench& bench, const Pace& pace, Seconds until) {
  std::int64_t done = 0;
  const auto run_while_time_for = [&](int chunk, Seconds needed) {
    while (bench.clock.now() + needed < until) {
      bench.job.run(chunk);
      done += chunk;
    }
  };
  run_while_time_for(pace.coarse, pace.coarse * pace.iteration);
  run_while_time_for(pace.fine, Seconds{0});
  if (done > 0) return done;
  bench.job.run(1);
  return 1;
}

// E = ΔE/Δt · time: the power between the counter's two steps, for as long as the iterations took.
// Without steps both are the same moments and E = ΔE.
Joules energy_between(const MeterInfo& info, const Mark& begin, const Mark& end, Seconds time) {
  const Usage usage = used(info, begin.reading, end.reading);
  return info.update_period.count() > 0 ? usage.mean_power() * time : usage.total;
}

std::optional<double> since(std::optional<Seconds> before, std::optional<Seconds> after) {
  if (!before || !after) return std::nullopt;
  return std::max(0.0, (*after - *before).count());
}

std::string disturbance(const MeterState& before, const MeterState& after) {
  const int others =
      std::max(before.other_processes.value_or(0), after.other_processes.value_or(0));
  if (others > 0)
    return fmt::format("{} other process{} used the device", others, others == 1 ? "" : "es");
  if (before.throttle != after.throttle)
    return fmt::format("clocks were held down for a part of it ({})",
                       after.throttle ? *after.throttle : *before.throttle);
  return "";
}

}  // namespace

WarmUp warm_up(const Bench& bench, Seconds limit) {
  const Seconds start = bench.clock.now();
  const Seconds period = bench.meter.info().update_period;
  const Seconds least = period.count() > 0 ? std::max(kMeterLag, 4 * period) : kLeastWarmUp;
  WarmUp result{timed_iteration(bench, 1), false};
  Seconds fastest = result.iteration;
  std::int64_t done = 1;
  int steady = 0;
  while (!result.settled && bench.clock.now() - start + result.iteration < limit) {
    const int chunk = iterations_in(std::min(kWarmChunk, limit / 8), result.iteration);
    result.iteration = timed_iteration(bench, chunk);
    done += chunk;
    steady = result.iteration < kStillGettingFaster * fastest ? 0 : steady + 1;
    fastest = std::min(fastest, result.iteration);
    result.settled =
        steady >= kSteadyChunks && done >= kLeastIterations && bench.clock.now() - start >= least;
  }
  return result;
}

Window take_window(const Bench& bench, Seconds iteration, Seconds length) {
  const MeterInfo& info = bench.meter.info();
  const Pace pace = pace_of(bench, iteration, length);
  const MeterState state_before = bench.meter.state();
  const Mark begin = run_to_step(bench, pace).at;
  const auto cpu_before = bench.clock.cpu_time(), steal_before = bench.clock.steal_time();

  Window window;
  window.iterations = run_for(bench, pace, begin.after + length);
  const Step end = run_to_step(bench, pace);
  window.iterations += end.iterations;

  window.cpu_s = since(cpu_before, bench.clock.cpu_time());
  window.steal_s = since(steal_before, bench.clock.steal_time());
  window.time = end.at.before - begin.after;
  window.energy = energy_between(info, begin, end.at, window.time);
  window.state = bench.meter.state();
  window.rejected = disturbance(state_before, window.state);
  return window;
}

}  // namespace ampere
