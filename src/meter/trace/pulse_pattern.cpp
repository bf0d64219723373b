#include "meter/trace/pulse_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

constexpr double kStep = 0.001;  // s
constexpr Seconds kMemory{30};
constexpr Seconds kMargin{0.25};  // of quiet around the pattern that must be there too
constexpr int kCoarse = 10;       // steps between places that are looked at first
constexpr int kElsewhere = 150;   // steps away from the best place
constexpr double kLeastScore = 0.5;
constexpr double kLeastLead = 0.2;  // of the best place over any other

// Stretches on and off, in turn, with quiet before and after them: no two of a kind are alike, so
// that only one place fits. In shares of the whole.
constexpr double kOn[] = {0.067, 0.033, 0.133, 0.050, 0.100, 0.083};
constexpr double kOff[] = {0.100, 0.050, 0.083, 0.150, 0.033};

// Power at every step from the first sample to the last: that of the sample before.
std::vector<double> on_grid(const std::deque<PulseTrace::Sample>& samples) {
  std::vector<double> grid;
  if (samples.empty()) return grid;
  const Seconds length = samples.back().time - samples.front().time;
  grid.reserve(static_cast<std::size_t>(length.count() / kStep) + 1);
  auto sample = samples.begin();
  for (double at = 0; at <= length.count(); at = static_cast<double>(grid.size()) * kStep) {
    while (sample + 1 != samples.end() &&
           (sample + 1)->time.count() <= samples.front().time.count() + at)
      ++sample;
    grid.push_back(sample->watts);
  }
  return grid;
}

// The pattern with its margins, 1 where the load was on, less its mean.
std::vector<double> centred_pattern(const std::vector<Pulse>& pulses) {
  const Seconds begin = pulses.front().begin - kMargin;
  const Seconds length = pulses.back().end + kMargin - begin;
  std::vector<double> pattern(static_cast<std::size_t>(length.count() / kStep), 0.0);
  for (const Pulse& pulse : pulses) {
    const auto from = static_cast<std::size_t>((pulse.begin - begin).count() / kStep);
    const auto to = static_cast<std::size_t>((pulse.end - begin).count() / kStep);
    for (std::size_t i = from; i < std::min(to, pattern.size()); ++i) pattern[i] = 1;
  }
  double mean = 0;
  for (const double value : pattern) mean += value / static_cast<double>(pattern.size());
  for (double& value : pattern) value -= mean;
  return pattern;
}

// r = Σ(x−x̄)(p−p̄) / √(Σ(x−x̄)² Σ(p−p̄)²) of the power from `place` on.
double correlation(const std::vector<double>& power, std::size_t place,
                   const std::vector<double>& pattern) {
  const auto n = static_cast<double>(pattern.size());
  double sum = 0, squares = 0, products = 0, pattern_squares = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    // Less the first value, for digits.
    const double x = power[place + i] - power[place];
    sum += x;
    squares += x * x;
    products += x * pattern[i];
    pattern_squares += pattern[i] * pattern[i];
  }
  const double spread = squares - sum * sum / n;
  return spread > 0 ? products / std::sqrt(spread * pattern_squares) : 0;
}

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

}  // namespace

std::vector<Pulse> emit_cpu_pulses(Seconds length) {
  std::vector<Pulse> pulses;
  std::atomic<bool> on{false}, done{false};
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back([&on, &done] {
      while (!done)
        if (!on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  std::this_thread::sleep_for(kMargin);
  for (std::size_t i = 0; i < std::size(kOn); ++i) {
    const Seconds begin = steady_now();
    on = true;
    std::this_thread::sleep_for(kOn[i] * length);
    on = false;
    pulses.push_back({begin, steady_now()});
    if (i < std::size(kOff)) std::this_thread::sleep_for(kOff[i] * length);
  }
  done = true;
  std::this_thread::sleep_for(kMargin);
  return pulses;
}

void PulseTrace::add(Seconds time, Watts power) {
  if (!samples_.empty() && (time - samples_.back().time).count() < kStep) {
    Sample& last = samples_.back();
    ++last.count;
    last.watts += (power.value - last.watts) / last.count;
    return;
  }
  samples_.push_back({time, power.value, 1});
  while (samples_.front().time < time - kMemory) samples_.pop_front();
}

PulseMatch find_pulses(const PulseTrace& trace, const std::vector<Pulse>& pulses) {
  const std::vector<double> power = on_grid(trace.samples());
  const std::vector<double> pattern = centred_pattern(pulses);
  if (power.size() < pattern.size())
    throw Error(ErrorCode::no_meter,
                fmt::format("the trace has only {:.3g} s, less than the pattern of pulses",
                            static_cast<double>(power.size()) * kStep));
  const std::size_t places = power.size() - pattern.size() + 1;
  std::vector<std::pair<double, std::size_t>> scores;
  for (std::size_t place = 0; place < places; place += kCoarse)
    scores.emplace_back(correlation(power, place, pattern), place);
  auto best = *std::ranges::max_element(scores);
  const std::size_t coarse = best.second;
  for (std::size_t place = coarse < kCoarse ? 0 : coarse - kCoarse;
       place < std::min(places, coarse + kCoarse); ++place)
    best = std::max(best, {correlation(power, place, pattern), place});
  PulseMatch match{{}, best.first, 0};
  for (const auto& [score, place] : scores)
    if (distance(place, best.second) > kElsewhere)
      match.runner_up = std::max(match.runner_up, score);
  if (match.score < kLeastScore || match.score < match.runner_up + kLeastLead)
    throw Error(
        ErrorCode::no_meter,
        fmt::format("the pulses are not clearly in the trace: the best place scores {:.2f} "
                    "(at least {} are needed), another one {:.2f}; is it this machine that "
                    "the meter measures, and does it sample faster than 20 times per second?",
                    match.score, kLeastScore, match.runner_up));
  const Seconds there =
      trace.samples().front().time + Seconds{static_cast<double>(best.second) * kStep};
  match.offset = pulses.front().begin - kMargin - there;
  return match;
}

}  // namespace ampere
