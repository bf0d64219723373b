#include "rig/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/meter.h"

namespace ampere {
namespace {

// A step is seen at the end of a chunk, and a device with a queue has two chunks in it.
constexpr double kChunksPerPeriod = 10;
constexpr Seconds kShortestChunk{0.002}, kLongestChunk{0.02};
constexpr Seconds kLongIteration{0.1};      // two more in the queue would cost more than they save
constexpr double kIdleReadsPerPeriod = 10;  // of an idle device

Seconds chunk_length(Seconds period) {
  if (period.count() <= 0) return kLongestChunk;
  return std::clamp(period / kChunksPerPeriod, kShortestChunk, kLongestChunk);
}

// When iterations are longer than the period, the counter moves in each of them and there is no
// step to wait for. A step may then be one period old when it is seen.
bool steps_are_seen(Seconds period, Seconds iteration) {
  return period.count() > 0 && iteration < period;
}

Seconds window_length(const Precision& precision, Seconds period, Seconds iteration) {
  if (period.count() <= 0) return precision.min_window;
  constexpr double kRounding = 1e-6;
  const double periods =
      std::max(1, precision.min_periods) * (steps_are_seen(period, iteration) ? 1 : 2);
  return std::max(periods, std::ceil(precision.min_window / period - kRounding)) * period;
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
    return fmt::format("clocks were throttled for part of it ({})",
                       after.throttle ? *after.throttle : *before.throttle);
  return "";
}

// A counter may count or rest while the machine sleeps, and the clock rests.
void require_awake(Seconds suspended) {
  constexpr Seconds kNoticed{0.1};
  if (suspended > kNoticed)
    throw Error(ErrorCode::failed,
                fmt::format("the machine was suspended for {:.1f} s while it was measured",
                            suspended.count()));
}

}  // namespace

WindowSeries::WindowSeries(const Bench& bench, const WarmUp& warm, const Precision& precision)
    : bench_(bench),
      log_(bench.clock.now() - warm.iteration),
      period_(bench.meter.info().update_period),
      length_(window_length(precision, period_, warm.iteration)),
      waits_for_steps_(steps_are_seen(period_, warm.iteration)),
      works_ahead_(warm.iteration < kLongIteration),
      chunk_(iterations_in(chunk_length(period_), warm.iteration)) {
  log_.add(bench_.clock.now(), submitted_);
}

void WindowSeries::run_chunk() {
  submitted_ += chunk_;
  if (!works_ahead_) {
    bench_.job.run(chunk_);
    log_.add(bench_.clock.now(), chunk_);
    return;
  }
  const Completed progress = bench_.job.run_ahead(chunk_);
  if (progress.iterations > 0) log_.add(bench_.clock.now() - progress.ago, progress.iterations);
}

void WindowSeries::run_until(Seconds time) {
  do run_chunk();
  while (bench_.clock.now() < time);
}

// A step happened before the reading that shows it, in the middle of iterations.
Seconds WindowSeries::Boundary::time() const {
  return idle ? std::min(at.reading.time, at.before) : at.reading.time;
}

// The device is kept busy until the counter moves: left alone, its power would fall.
Mark WindowSeries::find_mark() {
  if (!waits_for_steps_) return mark(bench_.meter, bench_.clock);
  for (;;) {
    Mark at = next_step(bench_.meter, bench_.clock, [this] { run_chunk(); });
    if (at.reading.time >= log_.start()) return at;
  }
}

WindowSeries::Boundary WindowSeries::boundary() {
  Boundary now;
  now.at = find_mark();
  now.idle = idle();
  now.cpu = bench_.clock.cpu_time();
  now.steal = bench_.clock.steal_time();
  now.suspended = bench_.clock.suspended();
  while (!idle() && log_.end() < now.at.reading.time) run_chunk();
  now.iterations = log_.at(now.time());
  return now;
}

Window WindowSeries::between(const Boundary& begin, const Boundary& end) const {
  require_awake(end.suspended - begin.suspended);
  const double iterations = end.iterations - begin.iterations;
  const Seconds time = end.time() - begin.time() - begin.pause();
  const Joules energy = energy_between(bench_.meter.info(), begin.at, end.at, time);
  Window window;
  window.iterations = std::max<std::int64_t>(1, std::llround(iterations));
  const double whole = static_cast<double>(window.iterations) / iterations;
  window.time = whole * time;
  window.energy = {whole * energy.value};
  window.cpu_s = since(begin.cpu, end.cpu);
  window.steal_s = since(begin.steal, end.steal);
  return window;
}

Window WindowSeries::next() {
  if (!last_ || idle()) {
    state_ = bench_.meter.state();
    last_ = boundary();
  }
  const Boundary begin = *last_;
  // Half a period before the step that ends it, so that this is the next one to be seen.
  const Seconds early = waits_for_steps_ ? period_ / 2 : Seconds{0};
  run_until(begin.at.reading.time + length_ - early);
  last_ = boundary();
  Window window = between(begin, *last_);
  window.state = bench_.meter.state();
  window.rejected = disturbance(state_, window.state);
  state_ = window.state;
  return window;
}

Window take_idle_window(Meter& meter, Clock& clock, Seconds length) {
  const Seconds period = meter.info().update_period;
  const auto rest = [&] { clock.sleep(period / kIdleReadsPerPeriod); };
  if (period.count() > 0) clock.sleep(kMeterLag);
  const Mark begin = next_step(meter, clock, rest);
  clock.sleep(length);
  const Mark end = next_step(meter, clock, rest);
  Window window;
  window.time = end.before - begin.after;
  window.energy = energy_between(meter.info(), begin, end, window.time);
  window.state = meter.state();
  return window;
}

}  // namespace ampere
