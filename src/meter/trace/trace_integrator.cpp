#include "meter/trace/trace_integrator.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/stats.h"

namespace ampere {
namespace {

// Between readings this close the straight line is good enough: it bounds what is kept of a trace
// of 100 000 samples per second.
constexpr Seconds kResolution{0.001};
constexpr std::size_t kIntervals = 64;
constexpr Seconds kShortestGap{1};
constexpr Seconds kFirstGap{60};  // while no interval is known
constexpr double kGapIntervals = 5;

}  // namespace

void TraceIntegrator::add(Seconds time, const std::vector<Watts>& power, Seconds since) {
  if (!last_) {
    last_ = Reading{time, std::vector<Joules>(power.size())};
    history_.add(*last_);
    power_ = power;
    same_time_ = 1;
    return;
  }
  const Seconds passed = time - last_->time;
  // Several samples of one time: tools that stamp packets, not samples.
  if (passed.count() <= 0) {
    ++same_time_;
    for (std::size_t i = 0; i < power.size(); ++i)
      power_[i].value += (power[i].value - power_[i].value) / same_time_;
    return;
  }
  const Seconds usual =
      intervals_.empty() ? kFirstGap : std::max(kShortestGap, kGapIntervals * typical_);
  const Seconds longest = gap_.value_or(usual);
  if (passed > longest && time > since)
    throw Error(ErrorCode::failed,
                fmt::format("no sample for {:.4g} s (more than gap={:.4g}), so what was used is "
                            "unknown",
                            passed.count(), longest.count()));
  note_interval(passed);
  for (std::size_t i = 0; i < power.size(); ++i)
    last_->energy[i] = last_->energy[i] + Watts{(power_[i].value + power[i].value) / 2} * passed;
  last_->time = time;
  power_ = power;
  same_time_ = 1;
  if (time - history_.readings().back().time >= kResolution) history_.add(*last_);
}

void TraceIntegrator::finish() {
  if (last_) history_.add(*last_);
}

void TraceIntegrator::note_interval(Seconds interval) {
  if (intervals_.size() >= kIntervals) return;
  intervals_.push_back(interval.count());
  typical_ = Seconds{median(intervals_)};
}

std::optional<Seconds> TraceIntegrator::begin() const {
  if (history_.readings().empty()) return std::nullopt;
  return history_.readings().front().time;
}

std::optional<Seconds> TraceIntegrator::end() const {
  if (history_.readings().empty()) return std::nullopt;
  return history_.readings().back().time;
}

std::optional<Seconds> TraceIntegrator::period() const {
  if (intervals_.empty()) return std::nullopt;
  return typical_;
}

}  // namespace ampere
